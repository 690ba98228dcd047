SELECT COUNT(*) AS unwritten
FROM "memory"."main"."grouped_sensitive" AS written
WHERE CAST(TRY_CAST("row_count" AS BIGINT) AS VARCHAR) IS DISTINCT FROM CAST("row_count" AS VARCHAR)
