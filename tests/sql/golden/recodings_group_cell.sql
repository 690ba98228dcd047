CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_cell" AS
WITH cell AS (
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
hashed_cell AS (
  SELECT
    cell.*,
    SUM(row_count) OVER (PARTITION BY value) AS value_rows,
    MD5(
      CONCAT(
        hash_key,
        COALESCE(CONCAT(LENGTH(CAST(q1 AS VARCHAR)), ':', CAST(q1 AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST(q2 AS VARCHAR)), ':', CAST(q2 AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST(kept_1 AS VARCHAR)), ':', CAST(kept_1 AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST(kept_2 AS VARCHAR)), ':', CAST(kept_2 AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST(shown_2 AS VARCHAR)), ':', CAST(shown_2 AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST(value AS VARCHAR)), ':', CAST(value AS VARCHAR)), '-')
      )
    ) AS cell_hash
  FROM cell
  CROSS JOIN temp.main."sqlgen_group_key" AS source_key
)
SELECT
  * EXCLUDE (value_rows, cell_hash),
  CAST(
    SUM(row_count) OVER (ORDER BY -value_rows ASC NULLS FIRST, value ASC NULLS FIRST, cell_hash ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - row_count
    AS BIGINT
  ) AS start_row,
  CAST(GREATEST(1, SUM(row_count) OVER () // 2) AS BIGINT) AS group_count
FROM hashed_cell
