-- engines/duckdb/is_foreign
NOT internal
AND system.main.lower(function_name) IN ('%', '&', '*', '+', '-', '/', '//', '<<', '>>', 'abs', 'any_value', 'arg_max', 'arg_min', 'array_extract', 'array_slice', 'bool_and', 'bool_or', 'ceil', 'concat', 'contains', 'count', 'count_star', 'current_database', 'current_schema', 'current_schemas', 'current_setting', 'day', 'dense_rank', 'duckdb_columns', 'duckdb_constraints', 'duckdb_databases', 'duckdb_dependencies', 'duckdb_functions', 'duckdb_indexes', 'duckdb_schemas', 'duckdb_sequences', 'duckdb_settings', 'duckdb_tables', 'duckdb_triggers', 'duckdb_types', 'duckdb_views', 'element_at', 'encode', 'epoch_ns', 'epoch_us', 'error', 'exp', 'floor', 'gcd', 'get_current_timestamp', 'glob', 'greatest', 'hash', 'hex', 'isfinite', 'json_deserialize_sql', 'json_serialize_sql', 'lag', 'last_day', 'lead', 'least', 'left', 'len', 'length', 'list', 'list_aggr', 'list_apply', 'list_contains', 'list_count', 'list_extract', 'list_filter', 'list_position', 'list_slice', 'list_sort', 'list_sum', 'list_transform', 'list_value', 'ln', 'lower', 'map_extract', 'map_extract_value', 'max', 'md5', 'md5_number', 'min', 'month', 'now', 'nullif', 'quantile_disc', 'quarter', 'range', 'read_csv', 'read_parquet', 'regexp_extract_all', 'regexp_full_match', 'regexp_matches', 'regexp_replace', 'repeat', 'replace', 'row', 'row_number', 'sha256', 'starts_with', 'strftime', 'string_agg', 'string_split_regex', 'strlen', 'struct_extract', 'struct_pack', 'substring', 'sum', 'timezone', 'translate', 'txid_current', 'unnest', 'upper', 'url_encode', 'version', 'year', '|', '||', '~~~')
AND system.main.list_contains(
  CAST(system.main.lower(CAST(system.main.current_schemas(TRUE) AS VARCHAR)) AS VARCHAR[]),
  system.main.lower(schema_name)
)
AND (
  database_name = 'temp'
  OR system.main.lower(database_name) = system.main.lower(system.main.current_database())
  OR system.main.regexp_matches(database_name, '\W')
  OR system.main.list_contains(
    system.main.string_split_regex(system.main.lower(system.main.current_setting('search_path')), '\W+'),
    system.main.lower(database_name)
  )
)

-- engines/duckdb/value_text
CAST("source"."zip" AS VARCHAR) COLLATE C
