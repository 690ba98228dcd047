CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_own_label" AS
WITH segment AS MATERIALIZED (
  SELECT *
  FROM (
    SELECT "quasi", label, UNNEST(first_places) AS first_place, UNNEST(last_places) AS last_place
    FROM (
      SELECT
        name."quasi" AS "quasi",
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
            SELECT DISTINCT 1 AS quasi, COALESCE(spans[1], labels[1]) COLLATE C AS label
            FROM (SELECT * FROM "memory"."main"."sqlgen_releases_regions" WHERE fingerprint = 'sha256:642b1672ce3bca85e3d82800407a2b41f6e9f9bbdda179b83b734f3c0e98bfc6') AS kept
            WHERE levels[1] = 1000
            UNION ALL
            SELECT DISTINCT 2 AS quasi, COALESCE(spans[2], labels[2]) COLLATE C AS label
            FROM (SELECT * FROM "memory"."main"."sqlgen_releases_regions" WHERE fingerprint = 'sha256:642b1672ce3bca85e3d82800407a2b41f6e9f9bbdda179b83b734f3c0e98bfc6') AS kept
            WHERE levels[2] = 1000
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
        FROM (SELECT quasi, text, place FROM temp.main."sqlgen_cut_place") AS leaf
      ) AS leaf
        ON name."quasi" = leaf."quasi" AND name.name = leaf.name
      GROUP BY name."quasi", name.label, name.is_range, name.name_count
      HAVING COUNT(DISTINCT leaf.place) = name.name_count
        AND (NOT name.is_range OR ARG_MIN(leaf.place, name.position) < ARG_MAX(leaf.place, name.position))
    ) AS label
  ) AS segment
),
kept_label AS (
  SELECT DISTINCT 1 AS quasi, COALESCE(spans[1], labels[1]) AS span, labels[1] AS label
  FROM (SELECT * FROM "memory"."main"."sqlgen_releases_regions" WHERE fingerprint = 'sha256:642b1672ce3bca85e3d82800407a2b41f6e9f9bbdda179b83b734f3c0e98bfc6') AS kept
  WHERE levels[1] = 1000
  UNION ALL
  SELECT DISTINCT 2 AS quasi, COALESCE(spans[2], labels[2]) AS span, labels[2] AS label
  FROM (SELECT * FROM "memory"."main"."sqlgen_releases_regions" WHERE fingerprint = 'sha256:642b1672ce3bca85e3d82800407a2b41f6e9f9bbdda179b83b734f3c0e98bfc6') AS kept
  WHERE levels[2] = 1000
),
own AS (
  SELECT
    segment.quasi,
    segment.label,
    MIN(segment.first_place) AS first_place,
    MAX(segment.last_place) AS last_place,
    CASE WHEN BOOL_AND(segment.first_place = segment.last_place) THEN LIST(segment.first_place ORDER BY segment.first_place ASC) END AS members,
    CAST(SUM(last.place - first.place + 1) AS BIGINT) AS leaves,
    CAST(SUM(last.rows_up_to - first.rows_up_to + first.source_rows) AS BIGINT) AS source_rows
  FROM segment
  JOIN temp.main."sqlgen_cut_place" AS first
    ON segment.quasi = first.quasi AND segment.first_place = first.place
  JOIN temp.main."sqlgen_cut_place" AS last
    ON segment.quasi = last.quasi AND segment.last_place = last.place
  GROUP BY segment.quasi, segment.label
)
SELECT
  own.quasi,
  CAST(DENSE_RANK() OVER (PARTITION BY own.quasi ORDER BY own.label ASC) - 1 AS UINTEGER) AS id,
  own.label AS span,
  kept_label.label,
  CASE WHEN own.label = kept_label.label THEN 1000 ELSE CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END END AS shown_level,
  CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END AS level,
  own.first_place,
  own.last_place,
  own.members,
  own.leaves,
  own.source_rows
FROM own
JOIN kept_label
  ON own.quasi = kept_label.quasi AND own.label = kept_label.span
JOIN temp.main."sqlgen_cut_place" AS first
  ON own.quasi = first.quasi AND own.first_place = first.place
JOIN temp.main."sqlgen_cut_place" AS last
  ON own.quasi = last.quasi AND own.last_place = last.place
