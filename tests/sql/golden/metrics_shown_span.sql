CREATE TEMPORARY TABLE temp.main."sqlgen_shown_span" AS
SELECT number, label, first_place, last_place
FROM (
  SELECT "number", label, UNNEST(first_places) AS first_place, UNNEST(last_places) AS last_place
  FROM (
    SELECT
      name."number" AS "number",
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
        FROM (
          SELECT number, label
          FROM temp.main."sqlgen_shown_label" AS shown
          WHERE number IN (1, 2)
            AND level IS NULL
            AND label IS NOT NULL
            AND NOT EXISTS (
              SELECT 1
              FROM temp.main."sqlgen_shown_leaf" AS leaf
              WHERE NOT leaf.is_kept AND leaf.number = shown.number AND leaf.labels[1] = shown.label
            )
        ) AS label
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
      FROM temp.main."sqlgen_shown_place" AS leaf
    ) AS leaf
      ON name."number" = leaf."number" AND name.name = leaf.name
    GROUP BY name."number", name.label, name.is_range, name.name_count
    HAVING COUNT(DISTINCT leaf.place) = name.name_count
      AND (NOT name.is_range OR ARG_MIN(leaf.place, name.position) < ARG_MAX(leaf.place, name.position))
  ) AS label
) AS segment
