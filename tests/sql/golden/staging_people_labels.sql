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
      FROM (
  SELECT CAST("zip" AS VARCHAR) AS "zip"
  FROM "memory"."main"."patients"
) AS source
      GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
    ) AS value_count
  ) AS labels
),
kept AS (
  SELECT *, TRUE AS is_kept
  FROM labelled
)
SELECT value, 0 AS level, CAST(value AS VARCHAR) COLLATE C AS label
FROM kept
WHERE is_kept AND TRUE
UNION
SELECT value, 1 AS level, CAST((CASE
      WHEN value IS NULL THEN NULL
      WHEN missing_level IS NOT NULL THEN NULL
      ELSE label_1
    END) COLLATE C AS VARCHAR) COLLATE C AS label
FROM kept
WHERE is_kept AND missing_level IS NULL
UNION
SELECT value, 2 AS level, CAST('*' AS VARCHAR) COLLATE C AS label
FROM kept
WHERE is_kept AND TRUE
