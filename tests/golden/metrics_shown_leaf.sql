CREATE TEMPORARY TABLE temp.main."sqlgen_shown_leaf_11" AS
SELECT
  ladder.value,
  ladder.row_count,
  name.level,
  name.label
FROM temp.main."sqlgen_ladder_11" AS ladder
JOIN (
  WITH labelled AS (
    SELECT
      *,
      CASE
        WHEN value IS NULL THEN NULL
        WHEN label_1 IS NULL THEN 1
      END AS missing_level
    FROM (
      SELECT
        value,
        row_count,
        CASE
          WHEN LENGTH(CAST(value AS VARCHAR)) > 3
            THEN SUBSTRING(CAST(value AS VARCHAR), 1, 3)
              || REPEAT('*', LENGTH(CAST(value AS VARCHAR)) - 3)
          ELSE CAST(value AS VARCHAR)
        END AS label_1
      FROM (
        SELECT CAST("source"."zip" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
        FROM (SELECT value AS "zip" FROM temp.main."sqlgen_ladder_11") AS source
        GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
      ) AS value_count
    ) AS labels
  ),
  kept AS (
    SELECT
      *,
      TRUE AS is_kept
    FROM labelled
  )
  SELECT
    value,
    0 AS level,
    CAST(value AS VARCHAR) COLLATE C AS label
  FROM kept
  WHERE is_kept AND row_count > 0
  UNION
  SELECT
    value,
    1 AS level,
    CAST((CASE
        WHEN value IS NULL THEN NULL
        WHEN missing_level IS NOT NULL THEN NULL
        ELSE label_1
      END) COLLATE C AS VARCHAR) COLLATE C AS label
  FROM kept
  WHERE is_kept AND row_count > 0 AND missing_level IS NULL
  UNION
  SELECT
    value,
    2 AS level,
    CAST('*' AS VARCHAR) COLLATE C AS label
  FROM kept
  WHERE is_kept AND row_count > 0
) AS name
  ON ladder.value IS NOT DISTINCT FROM name.value
WHERE ladder.is_kept
