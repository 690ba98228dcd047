SELECT COUNT(*) > 0 AS has_triggers
FROM duckdb_functions()
WHERE function_name = 'duckdb_triggers'
