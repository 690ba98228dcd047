SELECT
  (SELECT sql FROM duckdb_tables() WHERE database_name = 'clinic' AND schema_name = 'main' AND table_name = 'patients') AS created,
  (SELECT comment FROM duckdb_tables() WHERE database_name = 'clinic' AND schema_name = 'main' AND table_name = 'patients') AS comment,
  (SELECT type FROM duckdb_databases() WHERE database_name = 'clinic') AS database_kind,
  VERSION() AS engine_version
