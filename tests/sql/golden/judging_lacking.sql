SELECT COUNT(*) AS value_count
FROM (
  SELECT DISTINCT CAST(CAST("judged"."disease" AS VARCHAR) COLLATE C AS VARCHAR) AS value
  FROM "memory"."main"."patients" AS judged
) AS judged_value
LEFT JOIN (
  SELECT CAST(CAST("referred"."disease" AS VARCHAR) COLLATE C AS VARCHAR) AS value, TRUE AS is_known
  FROM "memory"."main"."both_ills" AS referred
  GROUP BY CAST(CAST("referred"."disease" AS VARCHAR) COLLATE C AS VARCHAR)
  HAVING SUM(1) > 0
) AS known_value
  ON judged_value.value IS NOT DISTINCT FROM known_value.value
WHERE known_value.is_known IS NULL
