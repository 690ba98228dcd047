SELECT 'schema' AS kind, catalog_name AS catalog, schema_name AS schema, '' AS name
FROM information_schema.schemata
WHERE TRANSLATE(catalog_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'memory'
  AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main'
UNION ALL
SELECT CASE WHEN table_type = 'VIEW' THEN 'view' ELSE 'table' END, table_catalog, table_schema, table_name
FROM information_schema.tables
WHERE TRANSLATE(table_catalog, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'memory'
  AND TRANSLATE(table_schema, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main'
  AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released_0'
UNION ALL
SELECT 'labels', database_name, schema_name, table_name
FROM duckdb_tables()
WHERE comment = 'sqlgen: labels of the view "released_0"'
  AND TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'memory'
  AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main'
ORDER BY kind ASC, name ASC
