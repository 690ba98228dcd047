CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_shown" AS
SELECT 
  cell.q1_0,
  cell.q2_0,
  cell.v1,
  cell.row_count,
  cell.region,
  cell.level_1,
  cell.level_2,
  l1.shown AS s1,
  l2.shown AS s2
FROM (
  SELECT q1_0, q1_1, q2_0, q2_1, v1, row_count, region, level_1, level_2, 0 AS round
  FROM temp.main."sqlgen_region_0" AS cell
  WHERE TRUE
) AS cell
JOIN temp.main."sqlgen_region_label" AS l1
  ON l1.ladder = 1
  AND l1.level = cell.level_1
  AND l1.id = CASE level_1 WHEN 0 THEN q1_0 WHEN 1 THEN q1_1 WHEN 2 THEN 0 END
JOIN temp.main."sqlgen_region_label" AS l2
  ON l2.ladder = 2
  AND l2.level = cell.level_2
  AND l2.id = CASE level_2 WHEN 0 THEN q2_0 WHEN 1 THEN q2_1 WHEN 2 THEN 0 END
