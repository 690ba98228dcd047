INSERT INTO "clinic"."main"."sqlgen_in_place"
WITH sized_row AS (
  SELECT
    q1.id AS q1,
    q1.label AS label_1,
    q2.id AS q2,
    q2.label AS label_2,
    CAST("source"."disease" AS VARCHAR) COLLATE C AS kept_1,
    "source"."visits" AS kept_2,
COUNT(*) OVER (PARTITION BY q1.id, q2.id) AS class_size
  FROM "clinic"."main"."patients" AS source
  JOIN temp.main."sqlgen_lookup_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_lookup_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
)
SELECT
  sized_row.label_1 AS "zip",
  sized_row.label_2 AS "age",
  sized_row.kept_1 AS "disease",
  sized_row.kept_2 AS "visits"
FROM sized_row
WHERE NOT (class_size < 3)
ORDER BY sized_row.q1 ASC NULLS FIRST, sized_row.q2 ASC NULLS FIRST, sized_row.kept_1 ASC NULLS FIRST, sized_row.kept_2 ASC NULLS FIRST
