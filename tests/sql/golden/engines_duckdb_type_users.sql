SELECT 'table' AS kind, own.schema_name, own.table_name AS object_name, own.data_type, NULL AS spelled
FROM duckdb_columns() AS own
INNER JOIN duckdb_tables() AS holder USING (table_oid, database_name)
WHERE own.database_name = 'clinic' AND NOT (own.schema_name = 'main' AND own.table_name = 'patients')
UNION ALL
SELECT 'table', schema_name, table_name, NULL, sql
FROM duckdb_tables()
WHERE database_name = 'clinic' AND NOT (schema_name = 'main' AND table_name = 'patients')
UNION ALL
SELECT 'macro', schema_name, function_name, NULL, macro_definition
FROM duckdb_functions()
WHERE database_name = 'clinic' AND NOT internal
UNION ALL
SELECT 'trigger', schema_name, trigger_name, NULL, sql
FROM duckdb_triggers()
WHERE database_name = 'clinic' AND NOT (schema_name = 'main' AND table_name = 'patients')
ORDER BY kind ASC, schema_name ASC, object_name ASC
