WITH asked AS (
  SELECT CURRENT_DATABASE() AS catalog, CURRENT_SCHEMA() AS schema
),
candidate AS (
  SELECT 'schema' AS kind, catalog_name AS catalog, schema_name AS schema, '' AS name
  FROM information_schema.schemata
  UNION ALL
  SELECT CASE WHEN table_type = 'VIEW' THEN 'view' ELSE 'table' END, table_catalog, table_schema, table_name
  FROM information_schema.tables
  WHERE TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released_0'
  UNION ALL
  SELECT 'labels', database_name, schema_name, table_name
  FROM duckdb_tables()
  WHERE comment = 'sqlgen: labels of the view "released_0"'
)
SELECT candidate.kind, candidate.catalog, candidate.schema, candidate.name, asked.catalog AS asked_catalog, asked.schema AS asked_schema
FROM candidate
CROSS JOIN asked
WHERE TRANSLATE(candidate.catalog, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = TRANSLATE(asked.catalog, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')
  AND TRANSLATE(candidate.schema, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = TRANSLATE(asked.schema, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')
ORDER BY candidate.kind ASC, candidate.name ASC
