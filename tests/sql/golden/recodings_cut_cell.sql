CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_cell" AS
SELECT
  ROW_NUMBER() OVER () AS cell,
  cell.q1_0,
  cell.q1_1,
  cell.q2_0,
  cell.q2_1,
  cell.v1,
  cell.row_count,
  place_1.place AS place_1,
  place_2.place AS place_2,
  CAST(1 AS BIGINT) AS region
FROM temp.main."sqlgen_region_cell" AS cell
JOIN temp.main."sqlgen_cut_place" AS place_1
  ON place_1.quasi = 1
  AND place_1.leaf = cell.q1_0
JOIN temp.main."sqlgen_cut_place" AS place_2
  ON place_2.quasi = 2
  AND place_2.leaf = cell.q2_0
