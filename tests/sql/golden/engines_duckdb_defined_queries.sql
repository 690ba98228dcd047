SELECT
  'view' AS kind,
  database_name,
  schema_name,
  view_name AS name,
  REGEXP_REPLACE(sql, '^CREATE (TEMP(ORARY)? )?VIEW ([^"\s(]|"([^"]|"")*")+ ?(\(([^"()]|"([^"]|"")*")*\) ?)?AS ', '') AS definition
FROM duckdb_views()
WHERE NOT internal
UNION ALL
SELECT
  'macro' AS kind,
  database_name,
  schema_name,
  function_name AS name,
  macro_definition AS definition
FROM duckdb_functions()
WHERE NOT internal AND macro_definition IS NOT NULL
