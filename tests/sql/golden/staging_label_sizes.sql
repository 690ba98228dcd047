SELECT
  ladder,
  level,
  CAST(SUM(leaves) AS BIGINT) AS leaves,
  MAX(id) AS largest_id,
  MAX(log_leaves) AS log_leaves,
  MAX(log_rows) AS log_rows,
  MAX(leaves) AS most_leaves,
  COUNT(*) FILTER (WHERE is_faulty) AS faults,
  COUNT(*) FILTER (WHERE row_count > 0) AS labels,
  CAST(SUM(CAST(row_count AS HUGEINT) * leaves) AS HUGEINT) AS leaf_sum,
  CAST(SUM(CAST(row_count AS HUGEINT) * log_leaves) AS HUGEINT) AS log_leaf_sum,
  CAST(SUM(CAST(row_count AS HUGEINT) * log_rows) AS HUGEINT) AS log_row_sum,
  CAST(SUM(CAST(FLOOR(row_count * LN(GREATEST(row_count, 1)) * 1e12 + 0.5) AS HUGEINT)) AS HUGEINT) AS class_logs
FROM temp.main."sqlgen_label"
GROUP BY ladder, level
