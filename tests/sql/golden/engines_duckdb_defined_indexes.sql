SELECT index_name, sql, is_unique, comment
FROM duckdb_indexes()
WHERE database_name = 'clinic'
  AND schema_name = 'main'
  AND table_name = 'patients'
ORDER BY index_name ASC
