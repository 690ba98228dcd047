SELECT MAX(path) AS path
FROM duckdb_databases()
WHERE database_name = 'memory'
