SELECT schema_name, table_name
FROM duckdb_columns()
WHERE database_name = 'memory' AND NOT internal
  AND column_name IN ('release_id', 'policy_fingerprint', 'lock_fingerprint', 'released_rows', 'target_kind')
GROUP BY schema_name, table_name
HAVING COUNT(*) = 5
ORDER BY schema_name ASC, table_name ASC
