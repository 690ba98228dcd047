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
    TRY(JSON_SERIALIZE_SQL(definition)) AS as_query,
    TRY(JSON_SERIALIZE_SQL('SELECT ' || definition)) AS as_value
  FROM mention
),
reader AS (
  SELECT
    ROW_NUMBER() OVER () AS number,
    *,
    CASE
      WHEN NOT CAST(JSON_EXTRACT(as_query, '$.error') AS BOOLEAN) THEN as_query
      WHEN NOT CAST(JSON_EXTRACT(as_value, '$.error') AS BOOLEAN) THEN as_value
    END AS tree
  FROM parsed
),
part AS (
  SELECT
    reader.number,
    reader.table_name,
    LOWER(JSON_EXTRACT_STRING(each.value, '$.table_name')) AS name,
    LOWER(JSON_EXTRACT_STRING(each.value, '$.schema_name')) AS schema,
    JSON_EXTRACT_STRING(each.value, '$.catalog_name') AS catalog,
    LOWER(JSON_EXTRACT_STRING(each.value, '$.function_name')) AS function
  FROM reader, JSON_TREE(reader.tree) AS each
  WHERE each.type = 'OBJECT'
),
read AS (
  SELECT number
  FROM part
  WHERE (name = table_name AND COALESCE(schema, '') IN ('', 'main') AND COALESCE(catalog, '') = '')
    OR function IN ('query', 'query_table')
    OR STARTS_WITH(function, 'pragma_')
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
    ELSE number IN (SELECT number FROM read)
  END
ORDER BY kind ASC, table_name ASC, database_name ASC NULLS LAST, schema_name ASC NULLS LAST, name ASC NULLS LAST
