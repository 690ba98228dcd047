CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_cell" AS
WITH counted AS (
  SELECT
    q1.id_0 AS q1_0,
    q2.id_0 AS q2_0,
    v1.id_0 AS v1,
    COUNT(*) AS row_count
  FROM "memory"."main"."patients" AS source
  JOIN temp.main."sqlgen_rung_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_rung_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  JOIN temp.main."sqlgen_region_value_1" AS v1
    ON CAST("source"."disease" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM v1.value
  GROUP BY q1.id_0, q2.id_0, v1.id_0
)
SELECT
  q1.id_0 AS q1_0, q1.id_1 AS q1_1,
  q2.id_0 AS q2_0, q2.id_1 AS q2_1,
  counted.v1,
  row_count
FROM counted
JOIN (SELECT DISTINCT id_0, id_1 FROM temp.main."sqlgen_rung_1" WHERE is_kept) AS q1
  ON counted.q1_0 = q1.id_0
JOIN (SELECT DISTINCT id_0, id_1 FROM temp.main."sqlgen_rung_2" WHERE is_kept) AS q2
  ON counted.q2_0 = q2.id_0
