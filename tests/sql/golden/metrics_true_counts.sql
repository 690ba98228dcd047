SELECT
  0 AS query,
  COUNT(*) AS row_count
FROM "memory"."main"."patients" AS source
JOIN (
  SELECT value
  FROM temp.main."sqlgen_ladder_1"
  WHERE COALESCE(CAST(("value" > '4') AS TEXT) = 'true', FALSE)
) AS part_1
  ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM part_1.value
JOIN (
  SELECT value
  FROM temp.main."sqlgen_ladder_2"
  WHERE COALESCE(CAST(("value" < 25) AS TEXT) = 'true', FALSE)
) AS part_2
  ON "source"."age" IS NOT DISTINCT FROM part_2.value
JOIN (
  SELECT value
  FROM temp.main."sqlgen_ladder_3"
  WHERE COALESCE(CAST(("value" = 'flu') AS TEXT) = 'true', FALSE)
) AS part_3
  ON CAST("source"."disease" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM part_3.value
