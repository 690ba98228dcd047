CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_cell" AS
WITH cell AS MATERIALIZED (
  SELECT
    q1.id AS q1,
    q2.id AS q2,
    "source"."visits" AS kept_1,
    "source"."weight" AS kept_2,
    CAST("source"."weight" AS VARCHAR) COLLATE C AS shown_2,
    CAST("source"."disease" AS VARCHAR) COLLATE C AS value,
    COUNT(*) AS row_count
  FROM "memory"."main"."patients" AS source
  JOIN temp.main."sqlgen_lookup_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_lookup_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  GROUP BY q1.id, q2.id, "source"."visits", "source"."weight", CAST("source"."weight" AS VARCHAR) COLLATE C, CAST("source"."disease" AS VARCHAR) COLLATE C
),
value_place AS (
  SELECT
    value AS placed_value,
    ROW_NUMBER() OVER (ORDER BY -value_rows ASC NULLS FIRST, value ASC NULLS FIRST) AS place
  FROM (
    SELECT value, SUM(row_count) AS value_rows
    FROM cell
    GROUP BY value
  ) AS value_count
),
hashed_cell AS (
  SELECT
    cell.*,
    value_place.place,
    MD5(
      CONCAT(
        hash_key,
        ',', q1,
        ',', q2,
        COALESCE(CONCAT(LENGTH(CAST(kept_1 AS VARCHAR)), ':', CAST(kept_1 AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST(shown_2 AS VARCHAR)), ':', CAST(shown_2 AS VARCHAR)), '-')
      )
    ) AS cell_hash
  FROM cell
  JOIN value_place
    ON cell.value IS NOT DISTINCT FROM value_place.placed_value
  CROSS JOIN temp.main."sqlgen_group_key" AS source_key
)
SELECT
  * EXCLUDE (place, cell_hash),
  CAST(
    SUM(row_count) OVER (ORDER BY place ASC, cell_hash ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - row_count
    AS BIGINT
  ) AS start_row,
  (SELECT CAST(GREATEST(1, SUM(row_count) // 2) AS BIGINT) FROM cell) AS group_count
FROM hashed_cell
