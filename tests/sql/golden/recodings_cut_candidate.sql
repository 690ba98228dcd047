CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_candidate_0" AS
WITH
column_cell AS (
  SELECT
    region * 3 + UNNEST([1, 2]) AS region_column,
    UNNEST([place_1, place_2]) AS place,
    row_count
  FROM temp.main."sqlgen_cut_cell"
),
held AS MATERIALIZED (
  SELECT region_column, place, CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM column_cell
  GROUP BY region_column, place
),
held_column AS (
  SELECT
    region_column,
    MIN(place) AS first_place,
    MAX(place) AS last_place,
    COUNT(*) AS places_here,
    CAST(SUM(row_count) AS BIGINT) AS rows_here
  FROM held
  GROUP BY region_column
),
boundary AS (
  SELECT
    region_column,
    place,
    LEAD(place) OVER along AS next_place,
    ROW_NUMBER() OVER along AS places_below,
    CAST(SUM(row_count) OVER along AS BIGINT) AS rows_below
  FROM held
  WINDOW along AS (PARTITION BY region_column ORDER BY place ASC ROWS UNBOUNDED PRECEDING)
),
sized AS (
  SELECT
    region_column // 3 AS region,
    CAST(region_column % 3 AS INTEGER) AS quasi,
    * EXCLUDE (region_column, class_size)
  FROM (
    SELECT * REPLACE (rows_here - rows_below AS class_size)
    FROM (
      SELECT boundary.*, held_column.* EXCLUDE (region_column), boundary.rows_below AS class_size
      FROM boundary
      JOIN held_column
        ON boundary.region_column = held_column.region_column
      WHERE boundary.next_place IS NOT NULL
    ) AS lower_side
    WHERE NOT (class_size < 3)
  ) AS upper_side
  WHERE NOT (class_size < 3)
),
covered AS (
  SELECT
    sized.*,
    first_end.column_leaves AS column_leaves,
    CASE sized.quasi WHEN 1 THEN places_here WHEN 2 THEN sized.last_place - sized.first_place + 1 END AS leaves_here,
    CASE sized.quasi WHEN 1 THEN places_below WHEN 2 THEN sized.place - sized.first_place + 1 END AS leaves_below,
    CASE sized.quasi WHEN 1 THEN places_here - places_below WHEN 2 THEN sized.last_place - sized.next_place + 1 END AS leaves_above
  FROM sized
  LEFT JOIN temp.main."sqlgen_cut_place" AS first_end
    ON first_end.quasi = sized.quasi
    AND first_end.place = sized.first_place
),
gained AS (
  SELECT
    region,
    quasi,
    place,
    rows_below,
    rows_here,
    CAST(leaves_here AS DOUBLE) / column_leaves AS width,
    (CAST(rows_below AS HUGEINT) * (leaves_here - leaves_below) + CAST(rows_here - rows_below AS HUGEINT) * (leaves_here - leaves_above)) * CASE quasi WHEN 1 THEN 1000000000 WHEN 2 THEN 333333333 END AS gain
  FROM covered
),
ranked AS (
  SELECT
    *,
    ROW_NUMBER() OVER (
      PARTITION BY region, quasi
      ORDER BY gain DESC, ABS(2 * rows_below - rows_here) ASC, place ASC
    ) AS choice,
    ROW_NUMBER() OVER (
      PARTITION BY region, quasi, 0
      ORDER BY 0 DESC, ABS(2 * rows_below - rows_here) ASC, place ASC
    ) AS choice_beside
  FROM gained
)
SELECT region, quasi, place, rows_below, rows_here, width, gain, choice
FROM ranked
WHERE choice = 1 OR choice_beside = 1
