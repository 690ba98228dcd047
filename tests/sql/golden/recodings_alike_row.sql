CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_alike_row" AS
WITH turn AS (
  SELECT
    source.*,
    cell.cell AS "cell_number",
    ROW_NUMBER() OVER (PARTITION BY cell.cell ORDER BY CAST("source"."disease" AS VARCHAR) COLLATE C ASC NULLS FIRST, "source"."visits" ASC NULLS FIRST) - 1 AS "row_turn"
  FROM "memory"."main"."patients" AS source
  JOIN temp.main."sqlgen_rung_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_rung_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  JOIN temp.main."sqlgen_region_value_1" AS v1
    ON "source"."visits" IS NOT DISTINCT FROM v1.value
  JOIN (SELECT DISTINCT cell,
  q1_0,
  q2_0,
  v1 FROM temp.main."sqlgen_region_0") AS cell
    ON q1.id_0 = cell.q1_0 AND q2.id_0 = cell.q2_0 AND v1.id_0 = cell.v1
)
SELECT turn.* EXCLUDE ("cell_number", "row_turn"), placed.region AS "region"
FROM turn
JOIN (
  SELECT cell, region, part_start + UNNEST(RANGE(row_count)) AS turn
  FROM temp.main."sqlgen_region_0"
) AS placed
  ON turn."cell_number" = placed.cell AND turn."row_turn" = placed.turn
