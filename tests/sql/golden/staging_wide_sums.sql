SELECT
  CAST(COALESCE(SUM(s_0), 0) AS BIGINT) AS s_0,
  CAST(COALESCE(SUM(s_1), 0) AS BIGINT) AS s_1
FROM temp.main."sqlgen_wide_cell"
