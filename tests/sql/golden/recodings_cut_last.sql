CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_0" AS
SELECT
  cell.q1_0,
  cell.q1_1,
  cell.q2_0,
  cell.q2_1,
  cell.v1,
  cell.row_count,
  left_cell.region,
  shown.level_1,
  shown.level_2,
  shown.own_1,
  shown.own_2
FROM temp.main."sqlgen_cut_cell" AS cell
JOIN temp.main."sqlgen_cut_left" AS left_cell
  ON cell.cell = left_cell.cell
JOIN temp.main."sqlgen_cut_shown" AS shown
  ON left_cell.region = shown.region
