SELECT
  1 AS ladder,
  CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * CAST(FLOOR(LN(GREATEST(row_count, 1)) * 1e12 + 0.5) AS BIGINT)), 0) AS HUGEINT) AS own_logs,
  CAST(FLOOR(LN(GREATEST(COALESCE(SUM(row_count), 0), 1)) * 1e12 + 0.5) AS BIGINT) AS log_all
FROM (SELECT *, value_1 AS value FROM temp.main."sqlgen_shown_leaf" WHERE number = 1)
UNION ALL
SELECT
  2 AS ladder,
  CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * CAST(FLOOR(LN(GREATEST(row_count, 1)) * 1e12 + 0.5) AS BIGINT)), 0) AS HUGEINT) AS own_logs,
  CAST(FLOOR(LN(GREATEST(COALESCE(SUM(row_count), 0), 1)) * 1e12 + 0.5) AS BIGINT) AS log_all
FROM (SELECT *, value_2 AS value FROM temp.main."sqlgen_shown_leaf" WHERE number = 2)
