CREATE TEMPORARY TABLE temp.main.sqlgen_named AS
WITH told AS MATERIALIZED (
  SELECT 'type' AS kind, schema_name || '.' || type_name AS object_name, UNNEST(labels) AS words, TRUE AS is_exact
  FROM duckdb_types()
  WHERE database_name = 'clinic' AND NOT internal
  UNION ALL
  SELECT 'table', own.schema_name || '.' || own.table_name, REPLACE(UNNEST(REGEXP_EXTRACT_ALL(own.data_type, '''(.*)''', 1)), '''''', ''''), TRUE
  FROM duckdb_columns() AS own
  INNER JOIN duckdb_tables() AS holder USING (database_name, table_oid)
  WHERE own.database_name = 'clinic'
  UNION ALL
  SELECT kind, object_name, REPLACE(UNNEST(REGEXP_EXTRACT_ALL(spelled, '''(.*)''', 1)), '''''', ''''), FALSE
  FROM (
    SELECT 'table' AS kind, schema_name || '.' || table_name AS object_name, sql AS spelled, comment FROM duckdb_tables() WHERE database_name = 'clinic'
    UNION ALL
    SELECT 'column', schema_name || '.' || table_name || '.' || column_name, NULL, comment FROM duckdb_columns() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'index', schema_name || '.' || index_name, sql, comment FROM duckdb_indexes() WHERE database_name = 'clinic'
    UNION ALL
    SELECT 'view', schema_name || '.' || view_name, sql, comment FROM duckdb_views() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'sequence', schema_name || '.' || sequence_name, NULL, comment FROM duckdb_sequences() WHERE database_name = 'clinic'
    UNION ALL
    SELECT 'type', schema_name || '.' || type_name, NULL, comment FROM duckdb_types() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'macro', schema_name || '.' || function_name, macro_definition, comment FROM duckdb_functions() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'schema', schema_name, NULL, comment FROM duckdb_schemas() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'trigger', schema_name || '.' || trigger_name, sql, comment FROM duckdb_triggers() WHERE database_name = 'clinic'
  ) AS declared
  UNION ALL
  SELECT kind, object_name, UNNEST(REGEXP_EXTRACT_ALL(spelled, '"(.*)"', 1)), FALSE
  FROM (
    SELECT 'table' AS kind, schema_name || '.' || table_name AS object_name, sql AS spelled, comment FROM duckdb_tables() WHERE database_name = 'clinic'
    UNION ALL
    SELECT 'column', schema_name || '.' || table_name || '.' || column_name, NULL, comment FROM duckdb_columns() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'index', schema_name || '.' || index_name, sql, comment FROM duckdb_indexes() WHERE database_name = 'clinic'
    UNION ALL
    SELECT 'view', schema_name || '.' || view_name, sql, comment FROM duckdb_views() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'sequence', schema_name || '.' || sequence_name, NULL, comment FROM duckdb_sequences() WHERE database_name = 'clinic'
    UNION ALL
    SELECT 'type', schema_name || '.' || type_name, NULL, comment FROM duckdb_types() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'macro', schema_name || '.' || function_name, macro_definition, comment FROM duckdb_functions() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'schema', schema_name, NULL, comment FROM duckdb_schemas() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'trigger', schema_name || '.' || trigger_name, sql, comment FROM duckdb_triggers() WHERE database_name = 'clinic'
  ) AS declared
  UNION ALL
  SELECT kind, object_name, comment, FALSE
  FROM (
    SELECT 'table' AS kind, schema_name || '.' || table_name AS object_name, sql AS spelled, comment FROM duckdb_tables() WHERE database_name = 'clinic'
    UNION ALL
    SELECT 'column', schema_name || '.' || table_name || '.' || column_name, NULL, comment FROM duckdb_columns() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'index', schema_name || '.' || index_name, sql, comment FROM duckdb_indexes() WHERE database_name = 'clinic'
    UNION ALL
    SELECT 'view', schema_name || '.' || view_name, sql, comment FROM duckdb_views() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'sequence', schema_name || '.' || sequence_name, NULL, comment FROM duckdb_sequences() WHERE database_name = 'clinic'
    UNION ALL
    SELECT 'type', schema_name || '.' || type_name, NULL, comment FROM duckdb_types() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'macro', schema_name || '.' || function_name, macro_definition, comment FROM duckdb_functions() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'schema', schema_name, NULL, comment FROM duckdb_schemas() WHERE database_name = 'clinic' AND NOT internal
    UNION ALL
    SELECT 'trigger', schema_name || '.' || trigger_name, sql, comment FROM duckdb_triggers() WHERE database_name = 'clinic'
  ) AS declared
  WHERE comment IS NOT NULL
),
text_value AS MATERIALIZED (
  SELECT DISTINCT CAST("name" AS VARCHAR) AS value FROM patients
  UNION
  SELECT DISTINCT CAST("code" AS VARCHAR) AS value FROM patients
  UNION
  SELECT UNNEST(CAST(ENUM_RANGE(ANY_VALUE("code")) AS VARCHAR[])) AS value FROM patients
)
SELECT text_value.value
FROM text_value
INNER JOIN told ON told.is_exact AND told.words = text_value.value
UNION
SELECT text_value.value
FROM text_value
INNER JOIN told ON NOT told.is_exact AND STRLEN(text_value.value) >= 5 AND CONTAINS(told.words, text_value.value)
