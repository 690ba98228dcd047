CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_0" AS
WITH RECURSIVE combination AS MATERIALIZED (
  SELECT value_ids.*, ROW_NUMBER() OVER () AS combination,
    place_1.place AS place_1,
    place_2.place AS place_2
  FROM (SELECT DISTINCT q1_0, q1_1, q2_0, q2_1 FROM temp.main."sqlgen_region_cell") AS value_ids
  JOIN temp.main."sqlgen_cut_place" AS place_1
    ON place_1.quasi = 1 AND place_1.leaf = value_ids.q1_0
  JOIN temp.main."sqlgen_cut_place" AS place_2
    ON place_2.quasi = 2 AND place_2.leaf = value_ids.q2_0
),
extent AS MATERIALIZED (
  SELECT quasi, level, id, MIN(place) AS first_place, MAX(place) AS last_place
  FROM (
    SELECT quasi, place, UNNEST(RANGE(LEN(ids))) AS level, UNNEST(ids) AS id
    FROM temp.main."sqlgen_cut_place"
  ) AS label_place
  WHERE id IS NOT NULL
  GROUP BY quasi, level, id
  UNION ALL
  SELECT quasi, 1000 AS level, id, first_place, last_place
  FROM temp.main."sqlgen_own_label"
),
shown_box AS MATERIALIZED (
  SELECT DISTINCT kept.number,
    extent_1.first_place AS first_1, extent_1.last_place AS last_1,
    extent_2.first_place AS first_2, extent_2.last_place AS last_2
  FROM temp.main."sqlgen_region_kept" AS kept
  JOIN extent AS extent_1
    ON extent_1.quasi = 1
    AND extent_1.level = kept.level_1
    AND extent_1.id = kept.id_1
  JOIN extent AS extent_2
    ON extent_2.quasi = 2
    AND extent_2.level = kept.level_2
    AND extent_2.id = kept.id_2
  WHERE kept.is_shown
),
above AS (
  SELECT number, number AS region
  FROM shown_box
  UNION
  SELECT above.number, kept.parent AS region
  FROM above
  JOIN temp.main."sqlgen_region_kept" AS kept
    ON above.region = kept.number
  WHERE kept.parent IS NOT NULL
),
box AS MATERIALIZED (
  SELECT above.region,
    MIN(first_1) AS first_1, MAX(last_1) AS last_1,
    MIN(first_2) AS first_2, MAX(last_2) AS last_2
  FROM above
  JOIN shown_box
    ON above.number = shown_box.number
  GROUP BY above.region
),
root AS MATERIALIZED (
  SELECT *
  FROM box
  WHERE region NOT IN (SELECT number FROM temp.main."sqlgen_region_kept" WHERE parent IN (SELECT number FROM temp.main."sqlgen_region_kept"))
),
child_box AS MATERIALIZED (
  SELECT box.*, kept.parent
  FROM box
  JOIN temp.main."sqlgen_region_kept" AS kept
    ON box.region = kept.number
),
descent AS (
  SELECT combination.combination, box.region,
    combination.place_1,
    combination.place_2
  FROM root AS box
  JOIN combination
    ON combination.place_1 BETWEEN box.first_1 AND box.last_1 AND combination.place_2 BETWEEN box.first_2 AND box.last_2
  UNION ALL
  SELECT descent.combination, box.region,
    descent.place_1,
    descent.place_2
  FROM descent
  JOIN child_box AS box
    ON descent.region = box.parent
  WHERE descent.place_1 BETWEEN box.first_1 AND box.last_1 AND descent.place_2 BETWEEN box.first_2 AND box.last_2
),
member AS MATERIALIZED (
  SELECT own_label.quasi, own_label.id, own_label.place
  FROM (
    SELECT quasi, id, UNNEST(members) AS place
    FROM temp.main."sqlgen_own_label"
    WHERE members IS NOT NULL
  ) AS own_label
),
fit AS (
  SELECT descent.combination, MIN(kept.number) AS region
  FROM descent
  JOIN combination
    ON descent.combination = combination.combination
  JOIN temp.main."sqlgen_region_kept" AS kept
    ON descent.region = kept.number
  LEFT JOIN temp.main."sqlgen_own_label" AS own_1
    ON kept.level_1 = 1000 AND own_1.quasi = 1 AND own_1.id = kept.id_1
  LEFT JOIN member AS member_1
    ON own_1.id = member_1.id AND member_1.quasi = 1 AND member_1.place = combination.place_1
  LEFT JOIN temp.main."sqlgen_own_label" AS own_2
    ON kept.level_2 = 1000 AND own_2.quasi = 2 AND own_2.id = kept.id_2
  LEFT JOIN member AS member_2
    ON own_2.id = member_2.id AND member_2.quasi = 2 AND member_2.place = combination.place_2
  WHERE kept.is_shown
    AND CASE
      WHEN kept.level_1 = 1000 THEN own_1.members IS NULL OR member_1.place IS NOT NULL
      ELSE CASE kept.level_1 WHEN 0 THEN combination.q1_0 WHEN 1 THEN combination.q1_1 ELSE 0 END = kept.id_1
    END
    AND CASE
      WHEN kept.level_2 = 1000 THEN own_2.members IS NULL OR member_2.place IS NOT NULL
      ELSE CASE kept.level_2 WHEN 0 THEN combination.q2_0 WHEN 1 THEN combination.q2_1 ELSE 0 END = kept.id_2
    END
  GROUP BY descent.combination
)
SELECT
  cell.q1_0,
  cell.q1_1,
  cell.q2_0,
  cell.q2_1,
  cell.v1,
  cell.row_count,
  fit.region,
  kept.level_1,
  kept.level_2,
  kept.own_1,
  kept.own_2
FROM temp.main."sqlgen_region_cell" AS cell
JOIN combination
  ON cell.q1_0 = combination.q1_0 AND cell.q2_0 = combination.q2_0
JOIN fit
  ON combination.combination = fit.combination
JOIN (SELECT DISTINCT number, level_1, level_2, id_1 AS own_1, id_2 AS own_2 FROM temp.main."sqlgen_region_kept") AS kept
  ON fit.region = kept.number
