(
  WITH source_row AS MATERIALIZED (
    SELECT
      name_1.label AS q1,
      name_2.label AS q2,
      CAST("source"."name" AS VARCHAR) COLLATE C AS kept_1,
      CAST("source"."disease" AS VARCHAR) COLLATE C AS kept_2
    FROM "memory"."main"."patients" AS source
    JOIN (
      SELECT DISTINCT name.value, name.label
      FROM (
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
              FROM "memory"."main"."patients" AS source
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
        WHERE is_kept AND row_count > 0
      ) AS name
    ) AS name_1
      ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM name_1.value
    JOIN (
      SELECT DISTINCT name.value, name.label
      FROM (
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
              '[' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 5 + 5) % 5 AS DECIMAL(38, 0)) AS VARCHAR)
                      || ', ' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 5 + 5) % 5 + 5 AS DECIMAL(38, 0)) AS VARCHAR)
                      || ')' AS label_1
            FROM (
              SELECT "source"."age" AS value, COUNT(*) AS row_count
              FROM "memory"."main"."patients" AS source
              GROUP BY "source"."age"
            ) AS value_count
          ) AS labels
        ),
        kept AS (
          SELECT *, TRUE AS is_kept
          FROM labelled
        )
        SELECT value, 1 AS level, CAST((CASE
              WHEN value IS NULL THEN NULL
              WHEN missing_level IS NOT NULL THEN NULL
              ELSE label_1
            END) COLLATE C AS VARCHAR) COLLATE C AS label
        FROM kept
        WHERE is_kept AND row_count > 0 AND missing_level IS NULL
      ) AS name
    ) AS name_2
      ON "source"."age" IS NOT DISTINCT FROM name_2.value
  ),
  released_class AS MATERIALIZED (
    SELECT *, ROW_NUMBER() OVER () AS class_id
    FROM (
      SELECT DISTINCT
        CAST(CAST("released"."zip" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C AS q1,
        CAST(CAST("released"."age" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C AS q2
      FROM "memory"."main"."spare" AS released
    ) AS shown
  )
  SELECT
    released_class.class_id AS "class_id",
    released_class.q1 AS "zip",
    released_class.q2 AS "age",
    source_row.kept_1 AS "name",
    source_row.kept_2 AS "disease"
  FROM source_row
  JOIN released_class
    ON source_row.q1 IS NOT DISTINCT FROM released_class.q1 AND source_row.q2 IS NOT DISTINCT FROM released_class.q2
)
