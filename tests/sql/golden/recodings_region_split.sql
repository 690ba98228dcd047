CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_1" AS
SELECT
  cell.q1_0,
  cell.q1_1,
  cell.q2_0,
  cell.q2_1,
  cell.v1,
  cell.row_count,
  CASE WHEN finer.passes THEN finer.class_id ELSE split.rest_number END AS region,
  2 * cell.place + CASE WHEN finer.passes THEN 0 ELSE 1 END AS place,
  cell.level_1 - CASE WHEN finer.passes AND split.quasi = 1 THEN 1 ELSE 0 END AS level_1,
  cell.level_2 - CASE WHEN finer.passes AND split.quasi = 2 THEN 1 ELSE 0 END AS level_2
FROM temp.main."sqlgen_region_0" AS cell
JOIN temp.main."sqlgen_split_1" AS split
  ON cell.region = split.region
JOIN temp.main."sqlgen_finer_1" AS finer
  ON cell.region = finer.region
  AND split.quasi = finer.quasi
  AND CASE split.quasi WHEN 1 THEN CASE level_1 WHEN 1 THEN q1_0 WHEN 2 THEN q1_1 END WHEN 2 THEN CASE level_2 WHEN 1 THEN q2_0 WHEN 2 THEN q2_1 END END = finer.child
