SELECT DISTINCT LOWER(function_name) AS function_name
FROM duckdb_functions()
WHERE NOT internal AND LOWER(function_name) IN ('left', 'lower')
ORDER BY function_name ASC
