SELECT
  1 AS query,
  COUNT(*) AS row_count
FROM "memory"."main"."patients" AS source
JOIN (
  SELECT value
  FROM temp.main."sqlgen_ladder_4" AS value_of_column
  WHERE COALESCE(CAST(("value" > 2) AS TEXT) = 'true', FALSE)
) AS part_1
  ON "source"."visits" IS NOT DISTINCT FROM part_1.value
