SELECT tags['storage_version'] AS storage_version
FROM duckdb_databases()
WHERE database_name = 'clinic'
