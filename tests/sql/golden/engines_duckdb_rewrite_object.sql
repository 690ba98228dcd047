SELECT 'table' AS kind, schema_name, table_name AS object_name, sql AS spelled, comment FROM duckdb_tables() WHERE database_name = 'clinic'
UNION ALL
SELECT 'column', schema_name, table_name || '.' || column_name, data_type || COALESCE(column_default, ''), comment FROM duckdb_columns() WHERE database_name = 'clinic'
UNION ALL
SELECT 'index', schema_name, index_name, sql, comment FROM duckdb_indexes() WHERE database_name = 'clinic'
UNION ALL
SELECT 'view', schema_name, view_name, sql, comment FROM duckdb_views() WHERE database_name = 'clinic' AND NOT internal
UNION ALL
SELECT 'sequence', schema_name, sequence_name, sql || COALESCE(CAST(last_value AS VARCHAR), ''), comment FROM duckdb_sequences() WHERE database_name = 'clinic'
UNION ALL
SELECT 'type', schema_name, type_name, logical_type || COALESCE(CAST(labels AS VARCHAR), ''), comment FROM duckdb_types() WHERE database_name = 'clinic' AND NOT internal
UNION ALL
SELECT 'macro', schema_name, function_name, COALESCE(macro_definition, '') || CAST(parameters AS VARCHAR), comment FROM duckdb_functions() WHERE database_name = 'clinic' AND NOT internal
UNION ALL
SELECT 'schema', schema_name, '', '', comment FROM duckdb_schemas() WHERE database_name = 'clinic' AND NOT internal
UNION ALL
SELECT 'trigger', schema_name, table_name || '.' || trigger_name, sql, comment FROM duckdb_triggers() WHERE database_name = 'clinic'
