SELECT COUNT(DISTINCT value) AS value_count
FROM temp.main."sqlgen_ladder_3" AS value
WHERE row_count > 0
  AND value IN (TRY_CAST('flu' AS VARCHAR))
