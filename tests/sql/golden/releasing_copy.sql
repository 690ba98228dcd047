COPY (
  WITH cell AS (
  SELECT
    q1.id AS q1,
    q2.id AS q2,
    CAST("source"."disease" AS VARCHAR) COLLATE C AS kept_1,
    COUNT(*) AS row_count
  FROM "memory"."main"."patients" AS source
  JOIN temp.main."sqlgen_lookup_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_lookup_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  GROUP BY q1.id, q2.id, CAST("source"."disease" AS VARCHAR) COLLATE C
),
sized_cell AS (
  SELECT
    *,
    CAST(SUM(row_count) OVER (PARTITION BY q1, q2) AS BIGINT) AS class_size
  FROM cell
),
released_cell AS (
  SELECT
    named_q1.label AS "zip",
    named_q2.label AS "age",
    sized_cell.kept_1 AS "disease",
    sized_cell.row_count AS "copies"
  FROM sized_cell
  JOIN (SELECT DISTINCT id, label FROM temp.main."sqlgen_lookup_1") AS named_q1
    ON sized_cell.q1 = named_q1.id
  JOIN (SELECT DISTINCT id, label FROM temp.main."sqlgen_lookup_2") AS named_q2
    ON sized_cell.q2 = named_q2.id
  WHERE NOT (class_size < 3)
  ORDER BY sized_cell.q1 ASC NULLS FIRST, sized_cell.q2 ASC NULLS FIRST, sized_cell.kept_1 ASC NULLS FIRST
)
SELECT
  "zip",
  "age",
  "disease"
FROM (
  SELECT *, UNNEST(RANGE("copies")) AS "copy"
  FROM released_cell
) AS released_row
) TO '/folder/released.csv.sqlgen-partial' (FORMAT CSV, HEADER TRUE, DELIMITER ',', QUOTE '"', ESCAPE '"', NULLSTR '', COMPRESSION 'none', USE_TMP_FILE FALSE)
