CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_own_label" AS
WITH own_span AS (
  SELECT *
  FROM temp.main."sqlgen_cut_span"
  WHERE first_place < last_place
),
member AS (
  SELECT number, quasi, UNNEST(members) AS place
  FROM own_span
  WHERE members IS NOT NULL
),
set_span AS (
  SELECT
    member.number,
    '{' || STRING_AGG((CASE
  WHEN place.text IS NULL THEN 'NULL'
  WHEN place.text IN ('', 'NULL') OR REGEXP_MATCHES(place.text, '[",\[\]{}]|^[\s\v\p{Z}]|[\s\v\p{Z}]$')
    THEN '"' || REPLACE(place.text, '"', '""') || '"'
  ELSE place.text
END) COLLATE C, ', ' ORDER BY place.place ASC) || '}' AS span,
    CAST(SUM(place.source_rows) AS BIGINT) AS source_rows
  FROM member
  JOIN temp.main."sqlgen_cut_place" AS place
    ON member.quasi = place.quasi AND member.place = place.place
  GROUP BY member.number
),
spanned AS (
  SELECT
    own_span.*,
    COALESCE(set_span.span, '[' || (CASE
  WHEN first.text IS NULL THEN 'NULL'
  WHEN first.text IN ('', 'NULL') OR REGEXP_MATCHES(first.text, '[",\[\]{}]|^[\s\v\p{Z}]|[\s\v\p{Z}]$')
    THEN '"' || REPLACE(first.text, '"', '""') || '"'
  ELSE first.text
END) COLLATE C || ', ' || (CASE
  WHEN last.text IS NULL THEN 'NULL'
  WHEN last.text IN ('', 'NULL') OR REGEXP_MATCHES(last.text, '[",\[\]{}]|^[\s\v\p{Z}]|[\s\v\p{Z}]$')
    THEN '"' || REPLACE(last.text, '"', '""') || '"'
  ELSE last.text
END) COLLATE C || ']') AS span,
    COALESCE(LEN(own_span.members), last.place - first.place + 1) AS leaves,
    COALESCE(set_span.source_rows, last.rows_up_to - first.rows_up_to + first.source_rows) AS source_rows
  FROM own_span
  JOIN temp.main."sqlgen_cut_place" AS first
    ON own_span.quasi = first.quasi AND own_span.first_place = first.place
  JOIN temp.main."sqlgen_cut_place" AS last
    ON own_span.quasi = last.quasi AND own_span.last_place = last.place
  LEFT JOIN set_span
    ON own_span.number = set_span.number
)
SELECT
  spanned.number,
  spanned.quasi,
  CAST(DENSE_RANK() OVER (PARTITION BY spanned.quasi ORDER BY spanned.span ASC) - 1 AS UINTEGER) AS id,
  spanned.span,
  CASE WHEN spanned.quasi = 1 OR spanned.quasi = 2 THEN spanned.span ELSE label.label END AS label,
  CASE WHEN spanned.quasi = 1 OR spanned.quasi = 2 THEN 1000 ELSE spanned.level END AS shown_level,
  spanned.level,
  spanned.first_place,
  spanned.last_place,
  spanned.members,
  CASE WHEN spanned.quasi = 1 OR spanned.quasi = 2 THEN spanned.leaves ELSE label.leaves END AS leaves,
  spanned.source_rows
FROM spanned
JOIN temp.main."sqlgen_region_label" AS label
  ON spanned.quasi = label.ladder AND spanned.level = label.level AND spanned.level_id = label.id
