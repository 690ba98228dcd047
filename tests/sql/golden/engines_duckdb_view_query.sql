SELECT REGEXP_REPLACE(sql, '^CREATE', '') AS query
FROM duckdb_views()
WHERE database_name = 'clinic'
  AND schema_name = 'main'
  AND view_name = 'seen'
