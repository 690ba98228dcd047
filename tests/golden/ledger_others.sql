SELECT schema_name, table_name
FROM duckdb_columns()
WHERE database_name = 'memory' AND NOT internal
GROUP BY schema_name, table_name
HAVING COUNT(*) = 28 AND BOOL_AND(column_name IN ('release_id', 'released_at', 'policy', 'folder', 'policy_fingerprint', 'lock_fingerprint', 'source', 'source_fingerprint', 'source_rows', 'released_rows', 'suppressed_rows', 'withheld_rows', 'classes', 'null_rows', 'levels', 'sensitive_levels', 'hierarchies', 'guarantees', 'target_kind', 'target', 'place', 'since_column', 'since_type', 'since_after', 'since_until', 'settled_rows', 'sqlgen_version', 'engine_version'))
ORDER BY schema_name ASC, table_name ASC
