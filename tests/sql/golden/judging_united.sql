(
  SELECT CAST("disease" AS VARCHAR) AS "disease"
  FROM "memory"."main"."patients"
  UNION ALL
  SELECT CAST("disease" AS VARCHAR) AS "disease"
  FROM "memory"."main"."patients"
)
