CREATE TEMPORARY TABLE temp.main."sqlgen_joint_shown_1" AS
SELECT
  CAST(CAST("released"."zip" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C AS q1,
  CAST("released"."age" AS VARCHAR) COLLATE C AS q2,
  CAST(CAST("released"."disease" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C AS s1,
  COUNT(*) AS row_count
FROM "memory"."main"."one" AS released
GROUP BY ALL
