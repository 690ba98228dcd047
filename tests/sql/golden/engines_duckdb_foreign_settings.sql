SELECT name, value
FROM system.main.duckdb_settings()
WHERE FALSE
  OR (name = 'Calendar' AND system.main.lower(value) IS DISTINCT FROM 'gregorian')
  OR (name = 'dialect_compatibility_mode' AND system.main.lower(value) IS DISTINCT FROM 'none')
  OR (name = 'explain_output' AND system.main.lower(value) IS DISTINCT FROM 'physical_only')
  OR (name = 'integer_division' AND system.main.lower(value) IS DISTINCT FROM 'false')
