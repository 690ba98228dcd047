SELECT
  table_name,
  constraint_type,
  constraint_name,
  constraint_text,
  constraint_column_names
FROM duckdb_constraints()
WHERE database_name = 'clinic'
  AND schema_name = 'main'
  AND constraint_type <> 'NOT NULL'
  AND (table_name = 'patients' OR referenced_table = 'patients')
ORDER BY table_name ASC, constraint_index ASC
