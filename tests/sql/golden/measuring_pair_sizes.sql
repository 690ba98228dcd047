SELECT
  CAST(COALESCE(SUM(group_count), 0) AS BIGINT) AS group_count,
  CAST(COALESCE(SUM(group_rows * group_count), 0) AS BIGINT) AS row_count,
  CAST(COALESCE(SUM(CAST(group_rows AS HUGEINT) * group_rows * group_count), 0) AS HUGEINT) AS squares
FROM temp.main."sqlgen_pair_alike"
