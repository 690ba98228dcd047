SELECT schema_name, table_name, constraint_column_names, referenced_table
FROM duckdb_constraints()
WHERE database_name = 'clinic'
  AND constraint_type = 'FOREIGN KEY'
ORDER BY schema_name ASC, table_name ASC, constraint_index ASC
