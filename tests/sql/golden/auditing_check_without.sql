SELECT
  1 AS left_out,
  COALESCE(MIN(class_size), 0) AS k,
  COUNT(*) FILTER (WHERE class_size = 1) AS unique_rows
FROM (
  SELECT CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM temp.main."sqlgen_check_cell"
  GROUP BY "q2"
) AS class
UNION ALL
SELECT
  2 AS left_out,
  COALESCE(MIN(class_size), 0) AS k,
  COUNT(*) FILTER (WHERE class_size = 1) AS unique_rows
FROM (
  SELECT CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM temp.main."sqlgen_check_cell"
  GROUP BY "q1"
) AS class
