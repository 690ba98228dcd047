ATTACH '/folder/clinic.duckdb.sqlgen-scrub/tried' AS "sqlgen_fresh" (STORAGE_VERSION 'v1.0.0')
