SELECT
  COUNT(*) AS group_count,
  CAST(COALESCE(SUM(group_rows), 0) AS BIGINT) AS row_count,
  CAST(COALESCE(SUM(group_rows * group_rows), 0) AS HUGEINT) AS squares
FROM (
  SELECT SUM(CAST("row_count" AS HUGEINT)) AS group_rows
  FROM "memory"."main"."grouped_sensitive"
  GROUP BY "group_id"
) AS group_size
