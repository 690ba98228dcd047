SELECT
  COUNT(*) FILTER (WHERE class_size >= 3 AND class_size < 4) AS classes_1,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE class_size >= 3 AND class_size < 4), 0) AS BIGINT) AS rows_1,
  COUNT(*) FILTER (WHERE class_size >= 4 AND class_size < 5) AS classes_2,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE class_size >= 4 AND class_size < 5), 0) AS BIGINT) AS rows_2,
  COUNT(*) FILTER (WHERE class_size >= 5 AND class_size < 6) AS classes_3,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE class_size >= 5 AND class_size < 6), 0) AS BIGINT) AS rows_3,
  COUNT(*) FILTER (WHERE class_size >= 6 AND class_size < 7) AS classes_4,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE class_size >= 6 AND class_size < 7), 0) AS BIGINT) AS rows_4,
  COUNT(*) FILTER (WHERE class_size >= 7 AND class_size < 8) AS classes_5,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE class_size >= 7 AND class_size < 8), 0) AS BIGINT) AS rows_5,
  COUNT(*) FILTER (WHERE class_size >= 8 AND class_size < 9) AS classes_6,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE class_size >= 8 AND class_size < 9), 0) AS BIGINT) AS rows_6,
  COUNT(*) FILTER (WHERE class_size >= 9 AND class_size < 10) AS classes_7,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE class_size >= 9 AND class_size < 10), 0) AS BIGINT) AS rows_7,
  COUNT(*) FILTER (WHERE class_size >= 10 AND class_size < 11) AS classes_8,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE class_size >= 10 AND class_size < 11), 0) AS BIGINT) AS rows_8
FROM (
  SELECT COUNT(*) AS class_size
  FROM "memory"."main"."matched" AS audited
  GROUP BY CAST("audited"."zip" AS VARCHAR) COLLATE C, CAST("audited"."age" AS VARCHAR) COLLATE C
) AS class
