CREATE TEMPORARY TABLE temp.main."sqlgen_reference_1" AS
SELECT
  value_1.id_0 AS value_id,
  CAST(SUM(1) AS BIGINT) AS reference_count
FROM "memory"."main"."patients" AS referred
JOIN temp.main."sqlgen_ladder_3" AS value_1
  ON CAST(CAST("referred"."disease" AS VARCHAR) COLLATE C AS VARCHAR) IS NOT DISTINCT FROM value_1.value
GROUP BY value_1.id_0
HAVING SUM(1) > 0
