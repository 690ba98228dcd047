CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_average" AS
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
  SELECT region, quasi, place, CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM (
    SELECT
      left_cell.region,
      UNNEST([2]) AS quasi,
      UNNEST([left_cell.place_2]) AS place,
      cell.row_count
    FROM temp.main."sqlgen_cut_left" AS left_cell
    JOIN temp.main."sqlgen_cut_cell" AS cell
      ON left_cell.cell = cell.cell
  ) AS placed
  GROUP BY region, quasi, place
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
  WINDOW whole AS (PARTITION BY held.region, held.quasi),
    along AS (PARTITION BY held.region, held.quasi ORDER BY held.place ASC)
),
summed AS (
  SELECT
    region,
    quasi,
    BOOL_AND(is_finite) AS is_known,
    MIN(text) FILTER (WHERE 2 * rows_up_to >= rows_here AND 2 * (rows_up_to - row_count) < rows_here) AS median,
    MIN(least) AS least,
    SUM((amount - least) * row_count) AS above_least,
    MIN(rows_here) AS rows_here
  FROM held_value
  GROUP BY region, quasi
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
SELECT region, quasi, (CASE WHEN averaged.is_known THEN CASE averaged.quasi WHEN 2 THEN CAST(averaged.mean AS VARCHAR) ELSE averaged.median END END) COLLATE C AS average
FROM averaged
