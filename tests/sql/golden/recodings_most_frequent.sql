SELECT
  CAST(COALESCE(SUM(value_rows), 0) AS BIGINT) AS row_count,
  COALESCE(MAX(value_rows), 0) AS most_rows
FROM temp.main."sqlgen_group_value"
