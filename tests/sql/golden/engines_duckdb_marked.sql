SELECT database_name, schema_name, table_name
FROM duckdb_tables()
WHERE comment = 'sqlgen: labels of the view "released_0"'
  AND TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'memory'
  AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main'
ORDER BY table_name ASC
