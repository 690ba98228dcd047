SELECT LOWER(function_name) AS function_name, BOOL_OR(NOT internal) AS is_users
FROM duckdb_functions()
WHERE LOWER(function_name) IN ('left')
  AND (NOT internal OR (function_type = 'scalar' AND stability <> 'CONSISTENT'))
GROUP BY LOWER(function_name)
ORDER BY function_name ASC
