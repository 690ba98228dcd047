SELECT database_name, schema_name, table_name
FROM duckdb_tables()
WHERE database_name = 'clinic'
ORDER BY schema_name ASC, table_name ASC
