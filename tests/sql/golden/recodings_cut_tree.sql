CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_tree" AS
WITH RECURSIVE cut AS MATERIALIZED (
  SELECT 0 AS round, region, number
  FROM temp.main."sqlgen_cut_0"
  UNION ALL
  SELECT 1 AS round, region, number
  FROM temp.main."sqlgen_cut_1"
  UNION ALL
  SELECT 2 AS round, region, number
  FROM temp.main."sqlgen_cut_2"
  UNION ALL
  SELECT 3 AS round, region, number
  FROM temp.main."sqlgen_cut_3"
  UNION ALL
  SELECT 4 AS round, region, number
  FROM (SELECT CAST(NULL AS BIGINT) AS region, CAST(NULL AS BIGINT) AS number) AS none
),
under AS (
  SELECT DISTINCT region, round, cut_region, TRUE AS is_shown
  FROM temp.main."sqlgen_cut_span"
  UNION ALL
  SELECT under.region, cut.round, cut.region AS cut_region, FALSE AS is_shown
  FROM under
  JOIN cut
    ON under.round = cut.round + 1 AND (under.cut_region + 1) // 2 = cut.number
),
node_span AS (
  SELECT
    under.round,
    under.cut_region,
    under.is_shown,
    span.quasi,
    MIN(span.first_place) AS first_place,
    MAX(span.last_place) AS last_place,
    MIN(span.places) FILTER (WHERE under.is_shown) AS places
  FROM under
  JOIN temp.main."sqlgen_cut_span" AS span
    ON under.region = span.region
  GROUP BY under.round, under.cut_region, under.is_shown, span.quasi
),
part AS (
  SELECT node_span.*, CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END AS common_level, first.ids[CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END + 1] AS common_id
  FROM node_span
  JOIN temp.main."sqlgen_cut_place" AS first
    ON node_span.quasi = first.quasi AND node_span.first_place = first.place
  JOIN temp.main."sqlgen_cut_place" AS last
    ON node_span.quasi = last.quasi AND node_span.last_place = last.place
),
labelled AS (
  SELECT
    part.round,
    part.cut_region,
    part.is_shown,
    part.quasi,
    CASE WHEN own_label.id IS NOT NULL THEN 1000 ELSE part.common_level END AS level,
    CASE WHEN own_label.id IS NOT NULL THEN own_label.id ELSE part.common_id END AS id
  FROM part
  LEFT JOIN temp.main."sqlgen_own_label" AS own_label
    ON part.is_shown
    AND part.quasi = own_label.quasi
    AND part.first_place = own_label.first_place
    AND part.last_place = own_label.last_place
    AND (own_label.members IS NULL OR part.places = own_label.members)
),
node AS MATERIALIZED (
  SELECT
    labelled.round,
    labelled.cut_region,
    labelled.is_shown,
    LIST(labelled.level ORDER BY labelled.quasi ASC) AS levels,
    LIST(label.label ORDER BY labelled.quasi ASC) AS labels,
    LIST(CASE WHEN label.span IS DISTINCT FROM label.label THEN label.span END ORDER BY labelled.quasi ASC) AS spans,
    PRODUCT(CAST(label.leaves AS DOUBLE) ORDER BY labelled.quasi ASC) AS combinations
  FROM labelled
  JOIN temp.main."sqlgen_region_label" AS label
    ON labelled.quasi = label.ladder AND labelled.level = label.level AND labelled.id = label.id
  GROUP BY labelled.round, labelled.cut_region, labelled.is_shown
),
numbered AS MATERIALIZED (
  SELECT
    *,
    ROW_NUMBER() OVER (
      ORDER BY combinations ASC, levels DESC, labels ASC, spans ASC, round DESC, cut_region ASC
    ) AS number
  FROM node
)
SELECT numbered.number, above.number AS parent, numbered.is_shown, numbered.levels, numbered.labels, numbered.spans
FROM numbered
LEFT JOIN cut
  ON numbered.round = cut.round + 1 AND (numbered.cut_region + 1) // 2 = cut.number
LEFT JOIN numbered AS above
  ON cut.round = above.round AND cut.region = above.cut_region
