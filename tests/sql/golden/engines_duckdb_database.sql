SELECT MAX(path) AS path, COALESCE(BOOL_OR(readonly), FALSE) AS is_readonly
FROM duckdb_databases()
WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'memory'
