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
          FROM (SELECT DISTINCT quasi, named AS label FROM temp.main."sqlgen_own_span") AS label
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
        FROM (SELECT quasi, text, place FROM temp.main."sqlgen_kept_place") AS leaf
      ) AS leaf
        ON name."quasi" = leaf."quasi" AND name.name = leaf.name
      GROUP BY name."quasi", name.label, name.is_range, name.name_count
      HAVING COUNT(DISTINCT leaf.place) = name.name_count
        AND (NOT name.is_range OR ARG_MIN(leaf.place, name.position) < ARG_MAX(leaf.place, name.position))
    ) AS label
  ) AS segment
),
beside AS (
  SELECT
    named.quasi,
    named.place AS named_place,
    MIN(place.place) OVER (PARTITION BY named.quasi ORDER BY named.place DESC) AS place_from,
    MAX(place.place) OVER (PARTITION BY named.quasi ORDER BY named.place ASC) AS place_up_to
  FROM temp.main."sqlgen_kept_place" AS named
  LEFT JOIN temp.main."sqlgen_cut_place" AS place
    ON named.quasi = place.quasi AND named.text IS NOT DISTINCT FROM place.text
),
in_order AS (
  SELECT quasi FROM beside GROUP BY quasi
  HAVING BOOL_AND(COALESCE(place_up_to <= place_from, TRUE))
),
today AS (
  SELECT
    segment.quasi,
    segment.label,
    LEFT(segment.label, 1) = '{' AS is_set,
    first.place_from AS first_place,
    last.place_up_to AS last_place
  FROM segment
  JOIN in_order
    ON segment.quasi = in_order.quasi
  JOIN beside AS first
    ON segment.quasi = first.quasi AND segment.first_place = first.named_place
  JOIN beside AS last
    ON segment.quasi = last.quasi AND segment.last_place = last.named_place
  WHERE first.place_from <= last.place_up_to
),
own AS (
  SELECT
    today.quasi,
    today.label,
    MIN(today.first_place) AS first_place,
    MAX(today.last_place) AS last_place,
    CASE WHEN BOOL_AND(today.is_set) THEN LIST(today.first_place ORDER BY today.first_place ASC) END AS members,
    CAST(SUM(last.place - first.place + 1) AS BIGINT) AS leaves,
    CAST(SUM(last.rows_up_to - first.rows_up_to + first.source_rows) AS BIGINT) AS source_rows
  FROM today
  JOIN temp.main."sqlgen_cut_place" AS first
    ON today.quasi = first.quasi AND today.first_place = first.place
  JOIN temp.main."sqlgen_cut_place" AS last
    ON today.quasi = last.quasi AND today.last_place = last.place
  GROUP BY today.quasi, today.label
)
SELECT
  own.quasi,
  CAST(DENSE_RANK() OVER (PARTITION BY own.quasi ORDER BY own_span.span ASC, own_span.label ASC NULLS FIRST) - 1 AS UINTEGER) AS id,
  own_span.span,
  own_span.label,
  CASE
    WHEN own_span.span = own_span.label OR own_span.span <> own_span.named THEN 1000
    ELSE CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END
  END AS shown_level,
  CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END AS level,
  own.first_place,
  own.last_place,
  own.members,
  own.leaves,
  own.source_rows
FROM own
JOIN temp.main."sqlgen_own_span" AS own_span
  ON own.quasi = own_span.quasi AND own.label = own_span.named
JOIN temp.main."sqlgen_cut_place" AS first
  ON own.quasi = first.quasi AND own.first_place = first.place
JOIN temp.main."sqlgen_cut_place" AS last
  ON own.quasi = last.quasi AND own.last_place = last.place
