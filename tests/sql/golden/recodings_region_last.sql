CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region" AS
SELECT
  cell.q1_0,
  cell.q1_1,
  cell.q2_0,
  cell.q2_1,
  cell.v1,
  cell.row_count,
  cell.level_1,
  cell.level_2,
  CAST(cell.round AS BIGINT) * 281474976710656 + cell.region AS region
FROM (
  SELECT q1_0, q1_1, q2_0, q2_1, v1, row_count, region, level_1, level_2, 0 AS round
  FROM temp.main."sqlgen_region_0" AS cell
  WHERE TRUE
) AS cell
