SELECT
  ladder,
  level,
  CAST(SUM(leaves) AS BIGINT) AS leaves,
  MAX(id) AS largest_id,
  MAX(log_leaves) AS log_leaves,
  MAX(log_rows) AS log_rows
FROM temp.main."sqlgen_label"
GROUP BY ladder, level
