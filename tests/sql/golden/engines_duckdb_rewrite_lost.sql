WITH object AS (
  SELECT database_name, 'table' AS kind, schema_name, table_name AS object_name, sql AS spelled, comment FROM duckdb_tables()
  UNION ALL
  SELECT database_name, 'column', schema_name, table_name || '.' || column_name, data_type || COALESCE(column_default, ''), comment FROM duckdb_columns()
  UNION ALL
  SELECT database_name, 'index', schema_name, index_name, sql, comment FROM duckdb_indexes()
  UNION ALL
  SELECT database_name, 'view', schema_name, view_name, sql, comment FROM duckdb_views() WHERE NOT internal
  UNION ALL
  SELECT database_name, 'sequence', schema_name, sequence_name, sql || COALESCE(CAST(last_value AS VARCHAR), ''), comment FROM duckdb_sequences()
  UNION ALL
  SELECT database_name, 'type', schema_name, type_name, logical_type || COALESCE(CAST(labels AS VARCHAR), ''), comment FROM duckdb_types() WHERE NOT internal
  UNION ALL
  SELECT database_name, 'macro', schema_name, function_name, COALESCE(macro_definition, '') || CAST(parameters AS VARCHAR), comment FROM duckdb_functions() WHERE NOT internal
  UNION ALL
  SELECT database_name, 'schema', schema_name, '', '', comment FROM duckdb_schemas() WHERE NOT internal
  UNION ALL
  SELECT database_name, 'trigger', schema_name, table_name || '.' || trigger_name, sql, comment FROM duckdb_triggers()
),
counted_object AS (
  SELECT
    COUNT(*) FILTER (WHERE database_name = 'clinic') AS own_count,
    COUNT(*) FILTER (WHERE database_name = 'fresh') AS copy_count
  FROM object
  GROUP BY kind, schema_name, object_name, spelled, comment
)
SELECT CAST(COALESCE(SUM(ABS(own_count - copy_count)), 0) AS BIGINT) AS objects
FROM counted_object
