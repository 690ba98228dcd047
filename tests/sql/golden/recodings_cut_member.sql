CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_member" AS
WITH held AS (
  SELECT DISTINCT region_column, place
  FROM (
    SELECT
      left_cell.region * 3 + UNNEST([1]) AS region_column,
      UNNEST([CASE WHEN extent.first_1 < extent.last_1 THEN left_cell.place_1 END]) AS place
    FROM temp.main."sqlgen_cut_left" AS left_cell
    JOIN temp.main."sqlgen_cut_extent" AS extent
      ON left_cell.region = extent.region
  ) AS column_cell
  WHERE place IS NOT NULL
)
SELECT
  region_column // 3 AS region,
  CAST(region_column % 3 AS INTEGER) AS quasi,
  LIST(place ORDER BY place ASC) AS members
FROM held
GROUP BY region_column
HAVING COUNT(*) <= 100
