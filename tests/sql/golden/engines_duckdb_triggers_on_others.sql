SELECT held.schema_name, held.trigger_name, held.table_name
FROM duckdb_dependencies() AS dependency
INNER JOIN duckdb_triggers() AS held ON held.trigger_oid = dependency.refobjid
INNER JOIN duckdb_tables() AS needed ON needed.table_oid = dependency.objid
WHERE held.database_name = 'clinic'
  AND needed.database_name = 'clinic'
  AND needed.schema_name = 'main'
  AND needed.table_name = 'patients'
  AND NOT (held.schema_name = needed.schema_name AND held.table_name = needed.table_name)
ORDER BY held.schema_name ASC, held.table_name ASC, held.trigger_name ASC
