SELECT database_name, schema_name, table_name
FROM duckdb_tables()
WHERE comment = 'sqlgen: labels of the view "visits"'
  AND TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic'
  AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main'
ORDER BY table_name ASC
