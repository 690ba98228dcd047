SELECT CAST(COALESCE(SUM(CAST(FLOOR(row_count * LN(row_count) * 1e12 + 0.5) AS HUGEINT)), 0) AS HUGEINT) AS cell_logs
FROM (
  SELECT COUNT(*) AS row_count
  FROM "memory"."main"."patients" AS source
  GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C, "source"."age"
) AS cell
