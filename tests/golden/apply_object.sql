(SELECT MAX(table_oid) FROM duckdb_tables() WHERE database_name = 'memory' AND schema_name = 'main' AND table_name = 'released_0')
