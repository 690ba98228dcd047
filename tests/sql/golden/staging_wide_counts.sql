SELECT
  (SELECT COUNT(*) FROM temp.main."sqlgen_cell") AS cell_count,
  (SELECT COUNT(*) FROM temp.main."sqlgen_value_cell") AS value_cell_count
