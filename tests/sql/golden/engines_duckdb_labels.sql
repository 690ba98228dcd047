SELECT database_name, schema_name, table_name
FROM duckdb_tables()
WHERE STARTS_WITH(comment, 'sqlgen: labels of the view ') AND database_name = 'clinic'
ORDER BY schema_name ASC, table_name ASC
