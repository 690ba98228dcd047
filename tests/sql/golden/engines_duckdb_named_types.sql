SELECT database_name, schema_name, type_name, labels
FROM duckdb_types()
WHERE database_name = 'clinic' AND NOT internal
ORDER BY type_oid DESC
