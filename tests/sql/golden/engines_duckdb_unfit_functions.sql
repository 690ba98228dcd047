SELECT DISTINCT LOWER(function_name) AS function_name
FROM duckdb_functions()
WHERE LOWER(function_name) IN ('left')
  AND (NOT internal OR (function_type = 'scalar' AND stability <> 'CONSISTENT'))
ORDER BY function_name ASC
