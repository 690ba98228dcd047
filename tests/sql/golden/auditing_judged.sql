SELECT
  CAST(COALESCE(SUM(class_size), 0) AS BIGINT) AS release_rows,
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE FALSE), 0) AS BIGINT) AS masked_rows,
  COALESCE(MIN(class_size), 0) AS measured_1,
  COUNT(*) FILTER (WHERE class_size < 3) AS failing_classes_1,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE class_size < 3), 0) AS BIGINT) AS failing_rows_1,
  QUANTILE_DISC(class_size, [0, 0.25, 0.5, 0.75, 1]) AS figures_1
FROM (
  SELECT COUNT(*) AS class_size
  FROM "memory"."main"."released_0" AS audited
  GROUP BY CAST("audited"."zip" AS VARCHAR) COLLATE C, CAST("audited"."age" AS VARCHAR) COLLATE C
) AS class
