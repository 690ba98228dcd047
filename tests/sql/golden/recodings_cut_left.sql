CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_region_5" AS
SELECT
  cell.cell,
  cell.place_1,
  cell.place_2,
  cell.v1,
  cell.row_count,
  left_region.region
FROM (
  SELECT cell, place_1, place_2, v1, row_count, 0 AS round, region AS cut_region
  FROM temp.main."sqlgen_cut_cell"
  WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_0")
  UNION ALL
  SELECT cell, place_1, place_2, v1, row_count, 1 AS round, region AS cut_region
  FROM temp.main."sqlgen_cut_region_1"
  WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_1")
  UNION ALL
  SELECT cell, place_1, place_2, v1, row_count, 2 AS round, region AS cut_region
  FROM temp.main."sqlgen_cut_region_2"
  WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_2")
  UNION ALL
  SELECT cell, place_1, place_2, v1, row_count, 3 AS round, region AS cut_region
  FROM temp.main."sqlgen_cut_region_3"
  WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_3")
  UNION ALL
  SELECT cell, place_1, place_2, v1, row_count, 4 AS round, region AS cut_region
  FROM temp.main."sqlgen_cut_region_4"
  WHERE TRUE
) AS cell
JOIN (SELECT DISTINCT region, round, cut_region FROM temp.main."sqlgen_cut_span") AS left_region
  ON cell.round = left_region.round AND cell.cut_region = left_region.cut_region
