SELECT CAST(value AS VARCHAR) AS value
FROM temp.main."sqlgen_ladder_1"
WHERE missing_level IS NOT NULL AND row_count > 0
ORDER BY row_count DESC, value
LIMIT 20
