SELECT database_name, schema_name, view_name
FROM duckdb_views()
WHERE NOT internal
ORDER BY database_name ASC, schema_name ASC, view_name ASC
