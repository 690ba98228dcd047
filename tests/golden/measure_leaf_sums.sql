SELECT
  CAST(COALESCE(SUM(class_size), 0) AS BIGINT) AS failing_rows
FROM (
  SELECT
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM temp.main."sqlgen_cell"
  HAVING COUNT(*) > 0
) AS class_size
WHERE class_size < 3
