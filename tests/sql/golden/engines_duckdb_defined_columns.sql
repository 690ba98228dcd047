SELECT
  column_name,
  data_type,
  column_default,
  NOT is_nullable AS not_null,
  comment
FROM duckdb_columns()
WHERE database_name = 'clinic'
  AND schema_name = 'main'
  AND table_name = 'patients'
ORDER BY column_index ASC
