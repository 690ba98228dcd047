SELECT name, value
FROM system.main.duckdb_settings()
WHERE FALSE
  OR (name = 'Calendar' AND value IS DISTINCT FROM 'gregorian')
  OR (name = 'integer_division' AND value IS DISTINCT FROM 'false')
