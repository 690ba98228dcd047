CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_cell" AS
WITH cell AS MATERIALIZED (
  SELECT
    q1.id AS q1,
    q2.id AS q2,
    CAST("source"."disease" AS VARCHAR) COLLATE C AS kept_1,
    "source"."visits" AS value,
    COUNT(*) AS row_count
  FROM "memory"."main"."patients" AS source
  JOIN temp.main."sqlgen_lookup_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_lookup_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  GROUP BY q1.id, q2.id, CAST("source"."disease" AS VARCHAR) COLLATE C, "source"."visits"
),
value_order AS (
  SELECT
    value AS ordered_value,
    CAST(ROW_NUMBER() OVER (ORDER BY CASE WHEN value IS NULL THEN 4 ELSE 1 END ASC NULLS FIRST, value ASC NULLS FIRST) AS UINTEGER) AS value_place
  FROM (
    SELECT
      value,
      SUM(SUM(row_count)) OVER (PARTITION BY value) AS value_rows
    FROM cell
    GROUP BY value
  ) AS value_count
)
SELECT
  cell.*,
  value_order.value_place,
CAST(DENSE_RANK() OVER (ORDER BY cell.q1 ASC NULLS FIRST, cell.q2 ASC NULLS FIRST, cell.kept_1 ASC NULLS FIRST) AS UINTEGER) AS label_place
FROM cell
JOIN value_order
  ON cell.value IS NOT DISTINCT FROM value_order.ordered_value
