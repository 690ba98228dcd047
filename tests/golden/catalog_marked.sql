SELECT database_name, schema_name, table_name
FROM duckdb_tables()
WHERE comment = 'sqlgen: labels of the view memory.main.released_0'
ORDER BY database_name ASC, schema_name ASC, table_name ASC
