WITH defined AS (
  SELECT
    'view' AS kind,
    database_name,
    schema_name,
    view_name AS name,
    SUBSTR(sql, POSITION(' AS ' IN sql)) AS definition
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
reader AS (
  SELECT *, REGEXP_REPLACE(LOWER(definition), '("(?:[^"]|"")*")|''(?:[^'']|'''')*''', '\1', 'g') AS names
  FROM defined
)
SELECT
  reader.kind,
  mentioned.table_name,
  reader.database_name,
  reader.schema_name,
  reader.name
FROM reader
INNER JOIN (
  VALUES
    ('sqlgen_cell', '(^|[^.\s"]\s*"|[^.\s"]\s+|[^.\s"\w]\s*)("?main"?\s*\.\s*)?"?sqlgen_cell("|\W|$)'),
    ('sqlgen_kept', '(^|[^.\s"]\s*"|[^.\s"]\s+|[^.\s"\w]\s*)("?main"?\s*\.\s*)?"?sqlgen_kept("|\W|$)')
) AS mentioned (table_name, mention) ON REGEXP_MATCHES(reader.names, mentioned.mention)
ORDER BY ALL
