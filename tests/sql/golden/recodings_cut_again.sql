CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_region_5" AS
SELECT
  cell.cell,
  cell.place_1,
  cell.place_2,
  cell.v1,
  cell.row_count,
  left_cell.region
FROM temp.main."sqlgen_cut_cell" AS cell
JOIN temp.main."sqlgen_cut_left" AS left_cell
  ON cell.cell = left_cell.cell
