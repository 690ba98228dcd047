CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_span" AS
WITH span AS (
  SELECT DISTINCT
    placed.quasi,
    placed.first_place,
    placed.last_place,
member.members
  FROM (
    SELECT
      region,
      UNNEST([1, 2]) AS quasi,
      UNNEST([first_1, first_2]) AS first_place,
      UNNEST([last_1, last_2]) AS last_place
    FROM temp.main."sqlgen_cut_extent"
  ) AS placed
  LEFT JOIN temp.main."sqlgen_cut_member" AS member
    ON placed.region = member.region AND placed.quasi = member.quasi
)
SELECT
  ROW_NUMBER() OVER () AS number,
  span.quasi,
  span.first_place,
  span.last_place,
  span.members,
  CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END AS level,
  first.ids[CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END + 1] AS level_id
FROM span
JOIN temp.main."sqlgen_cut_place" AS first
  ON first.quasi = span.quasi AND first.place = span.first_place
JOIN temp.main."sqlgen_cut_place" AS last
  ON last.quasi = span.quasi AND last.place = span.last_place
