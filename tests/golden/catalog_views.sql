SELECT database_name, schema_name, view_name
FROM duckdb_views()
WHERE NOT internal
  AND database_name = 'clinic'
ORDER BY schema_name ASC, view_name ASC
