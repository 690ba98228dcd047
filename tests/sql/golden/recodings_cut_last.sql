CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_0" AS
WITH shown AS (
  SELECT
    span.region,
    span.round,
    span.cut_region,
    MIN(CASE WHEN own_label.id IS NOT NULL THEN 1000 ELSE span.level END) FILTER (WHERE span.quasi = 1) AS level_1,
    MIN(CASE WHEN own_label.id IS NOT NULL THEN 1000 ELSE span.level END) FILTER (WHERE span.quasi = 2) AS level_2,
    MIN(own_label.id) FILTER (WHERE span.quasi = 1) AS own_1,
    MIN(own_label.id) FILTER (WHERE span.quasi = 2) AS own_2
  FROM temp.main."sqlgen_cut_span" AS span
  LEFT JOIN temp.main."sqlgen_own_label" AS own_label
    ON span.quasi = own_label.quasi
    AND span.first_place = own_label.first_place
    AND span.last_place = own_label.last_place
    AND (own_label.members IS NULL OR span.places = own_label.members)
  GROUP BY span.region, span.round, span.cut_region
),
last_cell AS (
  SELECT cell, 0 AS round, region AS cut_region
  FROM temp.main."sqlgen_cut_cell"
  WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_0")
  UNION ALL
  SELECT cell, 1 AS round, region AS cut_region
  FROM temp.main."sqlgen_cut_region_1"
  WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_1")
  UNION ALL
  SELECT cell, 2 AS round, region AS cut_region
  FROM temp.main."sqlgen_cut_region_2"
  WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_2")
  UNION ALL
  SELECT cell, 3 AS round, region AS cut_region
  FROM temp.main."sqlgen_cut_region_3"
  WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_3")
  UNION ALL
  SELECT cell, 4 AS round, region AS cut_region
  FROM temp.main."sqlgen_cut_region_4"
  WHERE TRUE
)
SELECT
  cell.q1_0,
  cell.q1_1,
  cell.q2_0,
  cell.q2_1,
  cell.v1,
  cell.row_count,
  shown.region,
  shown.level_1,
  shown.level_2,
  shown.own_1,
  shown.own_2
FROM temp.main."sqlgen_cut_cell" AS cell
JOIN last_cell
  ON cell.cell = last_cell.cell
JOIN shown
  ON last_cell.round = shown.round AND last_cell.cut_region = shown.cut_region
