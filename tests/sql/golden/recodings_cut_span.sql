CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_span" AS
WITH span AS (
  SELECT
    round,
    cut_region,
    quasi,
    MIN(place) AS first_place,
    MAX(place) AS last_place,
    LIST(place ORDER BY place ASC) AS places
  FROM (
    SELECT DISTINCT
      0 AS round,
      region AS cut_region,
      UNNEST([1, 2]) AS quasi,
      UNNEST([place_1, place_2]) AS place
    FROM temp.main."sqlgen_cut_cell"
    WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_0")
    UNION ALL
    SELECT DISTINCT
      1 AS round,
      region AS cut_region,
      UNNEST([1, 2]) AS quasi,
      UNNEST([place_1, place_2]) AS place
    FROM temp.main."sqlgen_cut_region_1"
    WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_1")
    UNION ALL
    SELECT DISTINCT
      2 AS round,
      region AS cut_region,
      UNNEST([1, 2]) AS quasi,
      UNNEST([place_1, place_2]) AS place
    FROM temp.main."sqlgen_cut_region_2"
    WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_2")
    UNION ALL
    SELECT DISTINCT
      3 AS round,
      region AS cut_region,
      UNNEST([1, 2]) AS quasi,
      UNNEST([place_1, place_2]) AS place
    FROM temp.main."sqlgen_cut_region_3"
    WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_3")
    UNION ALL
    SELECT DISTINCT
      4 AS round,
      region AS cut_region,
      UNNEST([1, 2]) AS quasi,
      UNNEST([place_1, place_2]) AS place
    FROM temp.main."sqlgen_cut_region_4"
    WHERE TRUE
  ) AS placed
  GROUP BY round, cut_region, quasi
)
SELECT
  DENSE_RANK() OVER (ORDER BY span.round ASC, span.cut_region ASC) AS region,
  span.round,
  span.cut_region,
  span.quasi,
  span.first_place,
  span.last_place,
  span.places,
  CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END AS level,
  first.ids[CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END + 1] AS level_id
FROM span
JOIN temp.main."sqlgen_cut_place" AS first
  ON first.quasi = span.quasi AND first.place = span.first_place
JOIN temp.main."sqlgen_cut_place" AS last
  ON last.quasi = span.quasi AND last.place = span.last_place
