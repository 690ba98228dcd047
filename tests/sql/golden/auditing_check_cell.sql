CREATE TEMPORARY TABLE temp.main."sqlgen_check_cell" AS
SELECT
  CAST("source"."zip" AS VARCHAR) COLLATE C AS "q1",
  "source"."age" AS "q2",
  COUNT(*) AS row_count
FROM "memory"."main"."patients" AS source
GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C, "source"."age"
