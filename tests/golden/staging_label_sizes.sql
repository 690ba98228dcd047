SELECT
  ladder,
  level,
  CAST(SUM(leaf_count) AS BIGINT) AS leaf_count,
  MAX(id) AS largest_id
FROM temp.main."sqlgen_label"
GROUP BY ladder, level
