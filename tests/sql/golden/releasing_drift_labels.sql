SELECT
  COUNT(*) AS shown_texts,
  COUNT(*) FILTER (
    WHERE shown.label IN (
      SELECT label_of_value.label
      FROM (
        WITH labelled AS (
          SELECT
            *,
            CASE
              WHEN value IS NULL THEN NULL
            END AS missing_level
          FROM (
            SELECT
              value,
              row_count
            FROM (
              SELECT CAST("source"."zip" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
              FROM "memory"."main"."plain" AS source
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
          1 AS level,
          CAST('*' AS VARCHAR) COLLATE C AS label
        FROM kept
        WHERE is_kept
      ) AS label_of_value
      WHERE label_of_value.label IS NOT NULL
    )
  ) AS labels
FROM (
  SELECT DISTINCT CAST(CAST("released"."zip" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C AS label
  FROM "memory"."main"."plain" AS released
  WHERE "released"."zip" IS NOT NULL
) AS shown
