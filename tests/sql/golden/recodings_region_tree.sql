CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_tree" AS
WITH region AS MATERIALIZED (
  SELECT
    0 AS round,
    cell.region,
    CAST(NULL AS BIGINT) AS region_above,
    MIN(cell.place) >> 0 AS layer,
    (MIN(cell.place) + 1) * 1 AS last_place,
    TRUE AS is_shown,
    [MIN(cell.level_1), MIN(cell.level_2)] AS levels,
    [MIN(CASE level_1 WHEN 0 THEN q1_0 WHEN 1 THEN q1_1 WHEN 2 THEN 0 END), MIN(CASE level_2 WHEN 0 THEN q2_0 WHEN 1 THEN q2_1 WHEN 2 THEN 0 END)] AS ids
  FROM temp.main."sqlgen_region_0" AS cell
  GROUP BY cell.region
),
node AS (
  SELECT
    layer,
    levels,
    ids,
    MIN(round) AS round,
    MAX(last_place) AS last_place,
    BOOL_OR(is_shown) AS is_shown
  FROM region
  GROUP BY layer, levels, ids
),
numbered AS MATERIALIZED (
  SELECT
    node.*,
    [label_1.label, label_2.label] AS labels,
    ROW_NUMBER() OVER (
      ORDER BY node.last_place ASC, node.levels ASC, label_1.label ASC NULLS FIRST, label_2.label ASC NULLS FIRST
    ) AS number
  FROM node
  JOIN temp.main."sqlgen_region_label" AS label_1
    ON label_1.ladder = 1
    AND label_1.level = node.levels[1]
    AND label_1.id = node.ids[1]
  JOIN temp.main."sqlgen_region_label" AS label_2
    ON label_2.ladder = 2
    AND label_2.level = node.levels[2]
    AND label_2.id = node.ids[2]
)
SELECT
  numbered.number,
  above.number AS parent,
  numbered.is_shown,
  numbered.levels,
  numbered.labels,
  CAST(NULL AS VARCHAR[]) AS spans
FROM numbered
JOIN region
  ON numbered.round = region.round AND numbered.layer = region.layer
  AND numbered.levels = region.levels AND numbered.ids = region.ids
LEFT JOIN region AS region_above
  ON region.round = region_above.round + 1 AND region.region_above = region_above.region
LEFT JOIN numbered AS above
  ON region_above.layer = above.layer
  AND region_above.levels = above.levels AND region_above.ids = above.ids
