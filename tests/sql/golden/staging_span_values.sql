CREATE TEMPORARY TABLE temp.main."sqlgen_shown_span_value_1" AS
WITH held_leaf AS MATERIALIZED (
  SELECT *
  FROM (
    SELECT
      value,
      CAST(value AS VARCHAR) COLLATE C AS text,
      [CAST(value AS VARCHAR) COLLATE C, CAST((CASE
        WHEN value IS NULL THEN NULL
        WHEN missing_level IS NOT NULL THEN NULL
        ELSE label_1
      END) COLLATE C AS VARCHAR) COLLATE C, CAST('*' AS VARCHAR) COLLATE C] AS labels,
      CASE
        WHEN TRUE
          THEN ROW_NUMBER() OVER (PARTITION BY TRUE ORDER BY value IS NOT NULL ASC NULLS FIRST, (CASE
        WHEN value IS NULL THEN NULL
        WHEN missing_level IS NOT NULL THEN NULL
        ELSE label_1
      END) COLLATE C COLLATE C ASC NULLS FIRST, value COLLATE C ASC NULLS FIRST)
      END AS place
    FROM (
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
        FROM (
          SELECT
            "zip",
            CAST("age" AS INTEGER) AS "age",
            "disease",
            "weight"
          FROM "memory"."main"."town"
        )
        UNION ALL
        SELECT CAST("zip" AS VARCHAR) AS "zip"
        FROM "memory"."main"."patients"
      ) AS source
            GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
          ) AS value_count
        ) AS labels
    ) AS labelled
  ) AS leaf
)
SELECT value, label
FROM (
  SELECT
    segment.label,
    leaf.value,
    leaf.place
  FROM (
    SELECT label, UNNEST(first_places) AS first_place, UNNEST(last_places) AS last_place
    FROM (
      SELECT
        name.label,
        CASE WHEN name.is_range THEN [MIN(leaf.place)] ELSE LIST(leaf.place) END AS first_places,
        CASE WHEN name.is_range THEN [MAX(leaf.place)] ELSE LIST(leaf.place) END AS last_places
      FROM (
        SELECT
          *,
          LEFT(label, 1) = '[' AS is_range,
          LEN(names) AS name_count,
          UNNEST(names) COLLATE C AS name,
          UNNEST(RANGE(LEN(names))) AS position
        FROM (
          SELECT *, REGEXP_EXTRACT_ALL(label, '[\[{ ]("(?:[^"]|"")*"|[^",\[\]{}]+)[,\]}]', 1) AS names
          FROM (SELECT CAST(CAST("released"."zip" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C AS label FROM "memory"."main"."spanned" AS released EXCEPT SELECT UNNEST(labels) AS label FROM held_leaf) AS label
          WHERE REGEXP_FULL_MATCH(label, '\[(?:"(?:[^"]|"")*"|[^",\[\]{}]+), (?:"(?:[^"]|"")*"|[^",\[\]{}]+)\]|\{(?:"(?:[^"]|"")*"|[^",\[\]{}]+)(?:, (?:"(?:[^"]|"")*"|[^",\[\]{}]+))+\}')
        ) AS label
      ) AS name
      JOIN (
        SELECT *, (CASE
          WHEN text IS NULL THEN 'NULL'
          WHEN text IN ('', 'NULL') OR REGEXP_MATCHES(text, '[",\[\]{}]|^[\s\v\p{Z}]|[\s\v\p{Z}]$')
            THEN '"' || REPLACE(text, '"', '""') || '"'
          ELSE text
        END) COLLATE C AS name
        FROM held_leaf AS leaf
      ) AS leaf
        ON name.name = leaf.name
      GROUP BY name.label, name.is_range, name.name_count
      HAVING COUNT(DISTINCT leaf.place) = name.name_count
        AND (NOT name.is_range OR ARG_MIN(leaf.place, name.position) < ARG_MAX(leaf.place, name.position))
    ) AS label
  ) AS segment
  JOIN held_leaf AS leaf
    ON leaf.place BETWEEN segment.first_place AND segment.last_place
) AS spanned
