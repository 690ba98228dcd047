SELECT database_name, schema_name, table_name, comment
FROM duckdb_tables()
WHERE STARTS_WITH(comment, 'sqlgen: labels of the view "visits"')
  AND TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic'
ORDER BY schema_name ASC, table_name ASC
