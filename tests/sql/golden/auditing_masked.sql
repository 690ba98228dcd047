SELECT
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(class_size), 0) AS BIGINT) AS row_count,
  COALESCE(MIN(class_size), 0) AS least_rows
FROM (
  SELECT
    COUNT(*) AS class_size,
    COUNT(CAST("audited"."disease" AS VARCHAR) COLLATE C) AS shown_1
  FROM "memory"."main"."matched" AS audited
  GROUP BY CAST("audited"."zip" AS VARCHAR) COLLATE C, CAST("audited"."age" AS VARCHAR) COLLATE C
) AS class
WHERE shown_1 = 0
