SELECT
  CASE WHEN NOT internal THEN function_name END AS foreign_name,
  system.main.count_star() AS function_count,
  system.main.string_agg(
    CASE WHEN function_type NOT IN ('macro', 'table_macro') THEN function_name END,
    ','
    ORDER BY function_oid ASC
  ) AS names
FROM system.main.duckdb_functions()
GROUP BY foreign_name
