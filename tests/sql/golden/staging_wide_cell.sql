CREATE TEMPORARY TABLE temp.main."sqlgen_wide_cell" AS
SELECT
  "q1_0" AS "q1_0",
  MIN("q1_1") AS "q1_1",
  "q2_0" AS "q2_0",
  MIN("q2_1") AS "q2_1",
  CAST(COALESCE(SUM(row_count) FILTER (WHERE v1 IN (0)), 0) AS INTEGER) AS s_0,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE v1 IN (1)), 0) AS INTEGER) AS s_1,
  CAST(SUM(row_count) AS INTEGER) AS row_count
FROM temp.main."sqlgen_value_cell"
GROUP BY "q1_0", "q2_0"
