SELECT
  DENSE_RANK() OVER (ORDER BY q1 ASC NULLS FIRST, q2 ASC NULLS FIRST) AS person_id,
  *
FROM (
  SELECT
    CAST("referred"."zip" AS VARCHAR) COLLATE C AS q1,
    "referred"."age" AS q2,
    CAST(SUM(1) AS BIGINT) AS person_count
  FROM (
  SELECT
    "zip",
    CAST("age" AS INTEGER) AS "age",
    "disease",
    "weight"
  FROM "memory"."main"."town"
) AS referred
  GROUP BY CAST("referred"."zip" AS VARCHAR) COLLATE C, "referred"."age"
  HAVING SUM(1) > 0
) AS person
