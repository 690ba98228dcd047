SELECT
  COUNT(*) AS value_count,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count
FROM temp.main."sqlgen_ladder_3" AS leaf
WHERE value IS NOT NULL
  AND row_count > 0
  AND (CASE WHEN value IS NOT NULL THEN LIST_POSITION([TRY_CAST('flu' AS VARCHAR), TRY_CAST('ulcer' AS VARCHAR)], value) END) IS NULL
