CREATE TEMPORARY TABLE temp.main."sqlgen_cell" AS
WITH packed AS (
  SELECT
    word_1,
    COUNT(*) AS row_count
  FROM (
    SELECT
      q1.word_1 | q2.word_1 AS word_1
    FROM "memory"."main"."patients" AS source
    LEFT JOIN (
      SELECT value, (CAST(id_0 AS BIGINT) << 0) | (CAST(id_1 AS BIGINT) << 2) AS word_1
      FROM temp.main."sqlgen_ladder_1"
      WHERE is_kept
    ) AS q1
      ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    LEFT JOIN (
      SELECT value, (CAST(id_0 AS BIGINT) << 3) | (CAST(id_1 AS BIGINT) << 6) AS word_1
      FROM temp.main."sqlgen_ladder_2"
      WHERE is_kept
    ) AS q2
      ON "source"."age" IS NOT DISTINCT FROM q2.value
  ) AS row_of_ids
  WHERE word_1 IS NOT NULL
  GROUP BY word_1
)
SELECT
  word_1,
  CAST(row_count AS BIGINT) AS row_count
FROM packed
