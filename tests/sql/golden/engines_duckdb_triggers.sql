SELECT schema_name, trigger_name, table_name, sql
FROM duckdb_triggers()
WHERE database_name = 'clinic'
ORDER BY trigger_oid ASC
