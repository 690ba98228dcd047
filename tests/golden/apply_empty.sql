SELECT CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count
FROM (
  SELECT COUNT(*) AS row_count
  FROM (
  SELECT
    q1.label AS "zip",
    q2.label AS "age",
    CAST("source"."disease" AS VARCHAR) COLLATE C AS "disease"
  FROM "memory"."main"."patients" AS source
  JOIN temp.main."sqlgen_lookup_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_lookup_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  JOIN (
    SELECT DISTINCT
      CAST("zip" AS VARCHAR) COLLATE C AS q1,
      CAST("age" AS VARCHAR) COLLATE C AS q2
    FROM "memory"."main"."matched"
  ) AS released_class
    ON CAST(q1.label AS VARCHAR) COLLATE C IS NOT DISTINCT FROM released_class.q1 AND CAST(q2.label AS VARCHAR) COLLATE C IS NOT DISTINCT FROM released_class.q2
) AS behind
  GROUP BY CAST("behind"."zip" AS VARCHAR) COLLATE C, CAST("behind"."age" AS VARCHAR) COLLATE C
  HAVING COUNT("disease") = 0
) AS empty_class
