SELECT
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  COALESCE(MIN(row_count), 0) AS k,
  COUNT(*) FILTER (WHERE row_count = 1) AS unique_rows,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE row_count < 5), 0) AS BIGINT) AS rows_below_k
FROM temp.main."sqlgen_check_cell"
