WITH defined AS (
  SELECT
    'view' AS kind,
    database_name,
    schema_name,
    view_name AS name,
    REGEXP_REPLACE(sql, '^CREATE (TEMP(ORARY)? )?VIEW ([^"\s(]|"([^"]|"")*")+ ?(\(([^"()]|"([^"]|"")*")*\) ?)?AS ', '') AS definition
  FROM duckdb_views()
  WHERE NOT internal
  UNION ALL
  SELECT
    'macro' AS kind,
    database_name,
    schema_name,
    function_name AS name,
    macro_definition AS definition
  FROM duckdb_functions()
  WHERE NOT internal AND macro_definition IS NOT NULL
),
mention AS (
  SELECT defined.*, named.table_name, named.pattern
  FROM defined
  INNER JOIN (
    VALUES
      ('sqlgen_cell', '(^|[^.\s"]\s*"|[^.\s"]\s+|[^.\s"\w]\s*)("?main"?\s*\.\s*)?"?sqlgen_cell("|\W|$)'),
      ('sqlgen_kept', '(^|[^.\s"]\s*"|[^.\s"]\s+|[^.\s"\w]\s*)("?main"?\s*\.\s*)?"?sqlgen_kept("|\W|$)')
  ) AS named (table_name, pattern) ON CONTAINS(LOWER(defined.definition), named.table_name)
),
parsed AS (
  SELECT
    *,
    LOWER(CAST(TRY(JSON_SERIALIZE_SQL(definition)) AS VARCHAR)) AS as_query,
    LOWER(CAST(TRY(JSON_SERIALIZE_SQL('SELECT ' || definition)) AS VARCHAR)) AS as_value
  FROM mention
),
reader AS (
  SELECT
    *,
    CASE
      WHEN STARTS_WITH(as_query, '{"error":false,') THEN as_query
      WHEN STARTS_WITH(as_value, '{"error":false,') THEN as_value
    END AS tree
  FROM parsed
)
SELECT
  kind,
  table_name,
  database_name,
  schema_name,
  name
FROM reader
WHERE CASE
    WHEN tree IS NULL
      THEN REGEXP_MATCHES(REGEXP_REPLACE(LOWER(definition), '("(?:[^"]|"")*")|''(?:[^'']|'''')*''', '\1', 'g'), pattern)
    ELSE CONTAINS(REGEXP_REPLACE(tree, '"schema_name":"(([^m"\\]|m[^a"\\]|ma[^i"\\]|mai[^n"\\]|main[^"\\])[^"\\]*|m|ma|mai)","table_name":"[^"]*"|"schema_name":"[^"]*","table_name":"[^"]*","column_name_alias":\[[^]]*\],"catalog_name":"[^"]+"', '', 'g'), '"table_name":"' || table_name || '"')
      OR REGEXP_MATCHES(tree, '"function_name":"(query|query_table|pragma_[a-z_]*)"')
  END
ORDER BY ALL
