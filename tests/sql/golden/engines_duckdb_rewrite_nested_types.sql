SELECT nesting.type_name, nested.type_name
FROM duckdb_dependencies() AS dependency
INNER JOIN duckdb_types() AS nesting ON nesting.type_oid = dependency.refobjid
INNER JOIN duckdb_types() AS nested ON nested.type_oid = dependency.objid
WHERE nesting.database_name = 'clinic'
  AND nested.database_name = 'clinic'
  AND NOT nesting.internal
ORDER BY nesting.type_name ASC, nested.type_name ASC
