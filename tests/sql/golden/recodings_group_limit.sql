SELECT
  CAST(COALESCE(SUM(value_rows), 0) AS BIGINT) AS row_count,
  COUNT(*) AS value_count,
  CAST(COALESCE(MIN(CASE WHEN commoner < 2 THEN left_rows // (2 - commoner) END), 0) AS BIGINT) AS most_groups
FROM (
  SELECT
    value_rows,
    ROW_NUMBER() OVER (ORDER BY value_rows DESC, start_row ASC) - 1 AS commoner,
    SUM(value_rows) OVER (ORDER BY value_rows DESC, start_row ASC ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS left_rows
  FROM temp.main."sqlgen_group_value"
) AS counted
