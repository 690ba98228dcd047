SELECT DISTINCT LOWER(function_name) AS function_name
FROM duckdb_functions()
WHERE LOWER(function_name) IN ('cast', 'left')
  AND (
    NOT internal
    OR (function_type <> 'scalar' AND LOWER(function_name) NOT IN ('nullif', 'split_part'))
    OR stability <> 'CONSISTENT'
  )
ORDER BY function_name ASC
