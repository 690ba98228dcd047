SELECT table_name
FROM duckdb_tables()
WHERE database_name = 'temp' AND STARTS_WITH(LOWER(table_name), 'sqlgen_')
ORDER BY table_name ASC
