SELECT CAST(value AS VARCHAR) AS value
FROM (SELECT value, row_count, missing_level, is_kept, id_0, id_1 FROM temp.main."sqlgen_leaf" WHERE ladder = 1)
WHERE missing_level IS NOT NULL AND row_count > 0
ORDER BY row_count DESC, value ASC NULLS LAST
LIMIT 20
