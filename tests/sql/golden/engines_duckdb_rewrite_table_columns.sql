SELECT own.database_name, own.schema_name, own.table_name, LIST(own.column_name ORDER BY own.column_index ASC) AS columns
FROM duckdb_columns() AS own
INNER JOIN duckdb_tables() AS holder USING (database_name, table_oid)
WHERE own.database_name = 'clinic'
GROUP BY own.database_name, own.schema_name, own.table_name
ORDER BY own.schema_name ASC, own.table_name ASC
