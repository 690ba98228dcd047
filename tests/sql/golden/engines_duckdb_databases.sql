SELECT path
FROM duckdb_databases()
WHERE path IS NOT NULL
ORDER BY path ASC
