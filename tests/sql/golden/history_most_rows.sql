SELECT COALESCE(MAX(person_rows), 1) AS most_rows
FROM (
  SELECT COUNT(*) AS person_rows
  FROM "memory"."main"."patients" AS source
  GROUP BY CAST("source"."name" AS VARCHAR) COLLATE C
) AS person
