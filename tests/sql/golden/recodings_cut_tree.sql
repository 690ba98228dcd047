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
leaf AS MATERIALIZED (
  SELECT
    region // 1099511627776 AS round,
    region % 1099511627776 AS cut_region,
    TRUE AS is_shown,
    first_1, last_1, span_1,
    first_2, last_2, span_2
  FROM temp.main."sqlgen_cut_shown"
),
node AS (
  SELECT *
  FROM leaf
  WHERE round = 4
  UNION ALL
  SELECT *
  FROM (
    SELECT
      round,
      cut_region,
      FALSE AS is_shown,
      MIN(first_1) AS first_1, MAX(last_1) AS last_1, 0 AS span_1,
      MIN(first_2) AS first_2, MAX(last_2) AS last_2, 0 AS span_2
    FROM (
      SELECT cut.round, cut.region AS cut_region,
        side.first_1, side.last_1,
        side.first_2, side.last_2
      FROM node AS side
      LEFT JOIN cut
        ON side.round = cut.round + 1 AND (side.cut_region + 1) // 2 = cut.number
    ) AS above
    WHERE round IS NOT NULL
    GROUP BY round, cut_region
    UNION ALL
    SELECT *
    FROM leaf
    WHERE round = (SELECT MAX(round) FROM node) - 1
  ) AS round_node
),
every_node AS MATERIALIZED (
  SELECT *
  FROM node
),
ends AS (
  SELECT DISTINCT quasi, first_place, last_place, span
  FROM (
    SELECT
      UNNEST([1, 2]) AS quasi,
      UNNEST([first_1, first_2]) AS first_place,
      UNNEST([last_1, last_2]) AS last_place,
      UNNEST([span_1, span_2]) AS span
    FROM every_node
  ) AS node_column
),
common AS (
  SELECT ends.*, CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END AS common_level, first.ids[CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END + 1] AS common_id
  FROM ends
  JOIN temp.main."sqlgen_cut_place" AS first
    ON ends.quasi = first.quasi AND ends.first_place = first.place
  JOIN temp.main."sqlgen_cut_place" AS last
    ON ends.quasi = last.quasi AND ends.last_place = last.place
),
labelled AS (
  SELECT
    common.*,
    CASE WHEN own_label.id IS NOT NULL THEN 1000 ELSE common.common_level END AS level,
    CASE WHEN own_label.id IS NOT NULL THEN own_label.id ELSE common.common_id END AS id
  FROM common
  LEFT JOIN temp.main."sqlgen_own_label" AS own_label
    ON common.span = own_label.number
),
name AS MATERIALIZED (
  SELECT
    ROW_NUMBER() OVER () AS name,
    labelled.quasi,
    labelled.first_place,
    labelled.last_place,
    labelled.span,
    labelled.level,
    label.label,
    CASE WHEN label.span IS DISTINCT FROM label.label THEN label.span END AS span_text,
    label.leaves,
    CASE WHEN label.label IS NOT NULL THEN label.shown END AS label_rank,
    CASE
      WHEN label.span IS DISTINCT FROM label.label THEN DENSE_RANK() OVER (PARTITION BY labelled.quasi ORDER BY label.span ASC)
    END AS span_rank
  FROM labelled
  JOIN temp.main."sqlgen_region_label" AS label
    ON labelled.quasi = label.ladder AND labelled.level = label.level AND labelled.id = label.id
),
named AS MATERIALIZED (
  SELECT
    node.round,
    node.cut_region,
    node.is_shown,
    name_1.name AS name_1, name_1.level AS level_1, name_1.label_rank AS label_rank_1, name_1.span_rank AS span_rank_1,
    name_2.name AS name_2, name_2.level AS level_2, name_2.label_rank AS label_rank_2, name_2.span_rank AS span_rank_2,
    CAST(name_1.leaves AS DOUBLE) * CAST(name_2.leaves AS DOUBLE) AS combinations
  FROM every_node AS node
  JOIN name AS name_1
    ON name_1.quasi = 1
    AND name_1.first_place = node.first_1
    AND name_1.last_place = node.last_1
    AND name_1.span = node.span_1
  JOIN name AS name_2
    ON name_2.quasi = 2
    AND name_2.first_place = node.first_2
    AND name_2.last_place = node.last_2
    AND name_2.span = node.span_2
),
numbered AS MATERIALIZED (
  SELECT
    round,
    cut_region,
    is_shown,
    name_1,
    name_2,
    ROW_NUMBER() OVER (
      ORDER BY combinations ASC, level_1 DESC, level_2 DESC, label_rank_1 ASC NULLS LAST, label_rank_2 ASC NULLS LAST, span_rank_1 ASC NULLS LAST, span_rank_2 ASC NULLS LAST, round DESC, cut_region ASC
    ) AS number
  FROM named
)
SELECT
  numbered.number,
  above.number AS parent,
  numbered.is_shown,
  [name_1.level, name_2.level] AS levels,
  [name_1.label, name_2.label] AS labels,
  [name_1.span_text, name_2.span_text] AS spans
FROM numbered
JOIN name AS name_1
  ON name_1.name = numbered.name_1
JOIN name AS name_2
  ON name_2.name = numbered.name_2
LEFT JOIN cut
  ON numbered.round = cut.round + 1 AND (numbered.cut_region + 1) // 2 = cut.number
LEFT JOIN numbered AS above
  ON cut.round = above.round AND cut.region = above.cut_region
