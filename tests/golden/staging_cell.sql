CREATE TEMPORARY TABLE temp.main."sqlgen_cell" AS
WITH narrow AS (
  SELECT
    CAST(q1.id_0 AS UTINYINT) AS q1_0,
    CAST(q2.id_0 AS UTINYINT) AS q2_0,
    COUNT(*) AS row_count
  FROM "memory"."main"."patients" AS source
  JOIN temp.main."sqlgen_ladder_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
  JOIN temp.main."sqlgen_ladder_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
  WHERE q1.is_kept AND q2.is_kept
  GROUP BY q1.id_0, q2.id_0
)
SELECT
  narrow.q1_0,
  CAST(q1.id_1 AS UTINYINT) AS q1_1,
  narrow.q2_0,
  CAST(q2.id_1 AS UTINYINT) AS q2_1,
  CAST(narrow.row_count AS BIGINT) AS row_count
FROM narrow
JOIN temp.main."sqlgen_ladder_1" AS q1
  ON narrow.q1_0 = q1.id_0
JOIN temp.main."sqlgen_ladder_2" AS q2
  ON narrow.q2_0 = q2.id_0
