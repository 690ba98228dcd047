SELECT DISTINCT type_name
FROM system.main.duckdb_types()
WHERE internal
ORDER BY type_name ASC
