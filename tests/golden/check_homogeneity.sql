SELECT
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(class_size), 0) AS BIGINT) AS row_count
FROM (
  SELECT
    COUNT(*) AS value_count,
    SUM(row_count) AS class_size
  FROM (
    SELECT
      CAST("source"."zip" AS VARCHAR) COLLATE C AS "q1",
      "source"."age" AS "q2",
      CAST("source"."disease" AS VARCHAR) COLLATE C AS sensitive,
      COUNT(*) AS row_count
    FROM "memory"."main"."patients" AS source
    GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C, "source"."age", CAST("source"."disease" AS VARCHAR) COLLATE C
  ) AS class_histogram
  GROUP BY "q1", "q2"
) AS class_values
WHERE value_count = 1
