CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_span" AS
WITH value AS MATERIALIZED (
  SELECT
    quasi,
    place,
    text,
    is_finite,
    CASE WHEN is_finite THEN CASE quasi WHEN 2 THEN CAST(REPLACE(text, '.', '') AS HUGEINT) ELSE CAST(NULL AS HUGEINT) END END AS amount
  FROM (
    SELECT
      *,
      COALESCE(LOWER(text) NOT IN ('nan', 'inf', '-inf', 'infinity', '-infinity'), FALSE) AS is_finite
    FROM temp.main."sqlgen_cut_place"
    WHERE quasi IN (2)
  ) AS averaged_place
),
held AS (
  SELECT round, cut_region, quasi, place, CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM (
    SELECT
      0 AS round,
      region AS cut_region,
      UNNEST([2]) AS quasi,
      UNNEST([place_2]) AS place,
      row_count
    FROM temp.main."sqlgen_cut_cell"
    WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_0")
    UNION ALL
    SELECT
      1 AS round,
      region AS cut_region,
      UNNEST([2]) AS quasi,
      UNNEST([place_2]) AS place,
      row_count
    FROM temp.main."sqlgen_cut_region_1"
    WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_1")
    UNION ALL
    SELECT
      2 AS round,
      region AS cut_region,
      UNNEST([2]) AS quasi,
      UNNEST([place_2]) AS place,
      row_count
    FROM temp.main."sqlgen_cut_region_2"
    WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_2")
    UNION ALL
    SELECT
      3 AS round,
      region AS cut_region,
      UNNEST([2]) AS quasi,
      UNNEST([place_2]) AS place,
      row_count
    FROM temp.main."sqlgen_cut_region_3"
    WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_3")
    UNION ALL
    SELECT
      4 AS round,
      region AS cut_region,
      UNNEST([2]) AS quasi,
      UNNEST([place_2]) AS place,
      row_count
    FROM temp.main."sqlgen_cut_region_4"
    WHERE TRUE
  ) AS placed
  GROUP BY round, cut_region, quasi, place
),
held_value AS (
  SELECT
    held.*,
    value.text,
    value.is_finite,
    value.amount,
    MIN(value.amount) OVER whole AS least,
    CAST(SUM(held.row_count) OVER along AS BIGINT) AS rows_up_to,
    CAST(SUM(held.row_count) OVER whole AS BIGINT) AS rows_here
  FROM held
  JOIN value
    ON held.quasi = value.quasi AND held.place = value.place
  WINDOW whole AS (PARTITION BY held.round, held.cut_region, held.quasi),
    along AS (PARTITION BY held.round, held.cut_region, held.quasi ORDER BY held.place ASC)
),
summed AS (
  SELECT
    round,
    cut_region,
    quasi,
    BOOL_AND(is_finite) AS is_known,
    MIN(text) FILTER (WHERE 2 * rows_up_to >= rows_here AND 2 * (rows_up_to - row_count) < rows_here) AS median,
    MIN(least) AS least,
    SUM((amount - least) * row_count) AS above_least,
    MIN(rows_here) AS rows_here
  FROM held_value
  GROUP BY round, cut_region, quasi
),
averaged AS (
  SELECT
    *,
    least + above_least // rows_here + CASE
      WHEN 2 * (above_least % rows_here) > rows_here THEN 1
      WHEN 2 * (above_least % rows_here) < rows_here THEN 0
      ELSE ABS(least + above_least // rows_here) % 2
    END AS mean
  FROM summed
)
SELECT
  span.*,
  (CASE WHEN averaged.is_known THEN CASE averaged.quasi WHEN 2 THEN CAST(averaged.mean AS VARCHAR) ELSE averaged.median END END) COLLATE C AS average
FROM temp.main."sqlgen_cut_span" AS span
LEFT JOIN averaged
  ON span.round = averaged.round AND span.cut_region = averaged.cut_region AND span.quasi = averaged.quasi
