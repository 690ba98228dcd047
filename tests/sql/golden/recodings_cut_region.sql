CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_region_1" AS
SELECT
  cell.cell,
  cell.place_1,
  cell.place_2,
  cell.v1,
  cell.row_count,
  2 * cut.number - CASE
    WHEN CASE cut.quasi WHEN 1 THEN cell.place_1 WHEN 2 THEN cell.place_2 END <= cut.place THEN 1
    ELSE 0
  END AS region
FROM temp.main."sqlgen_cut_cell" AS cell
JOIN temp.main."sqlgen_cut_0" AS cut
  ON cell.region = cut.region
