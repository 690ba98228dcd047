SELECT COUNT(*) AS value_count, COALESCE(MAX(STRLEN(value)), 0) AS longest
FROM temp.main."sqlgen_probe"
