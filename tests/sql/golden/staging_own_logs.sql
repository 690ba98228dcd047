SELECT
  1 AS ladder,
  CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * CAST(FLOOR(LN(GREATEST(row_count, 1)) * 1e12 + 0.5) AS BIGINT)), 0) AS HUGEINT) AS own_logs,
  CAST(FLOOR(LN(GREATEST(COALESCE(SUM(row_count), 0), 1)) * 1e12 + 0.5) AS BIGINT) AS log_all
FROM temp.main."sqlgen_shown_leaf_1"
UNION ALL
SELECT
  2 AS ladder,
  CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * CAST(FLOOR(LN(GREATEST(row_count, 1)) * 1e12 + 0.5) AS BIGINT)), 0) AS HUGEINT) AS own_logs,
  CAST(FLOOR(LN(GREATEST(COALESCE(SUM(row_count), 0), 1)) * 1e12 + 0.5) AS BIGINT) AS log_all
FROM temp.main."sqlgen_shown_leaf_2"
