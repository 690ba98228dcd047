SELECT
  (SELECT COUNT(*) FROM "memory"."main"."patients") AS row_count,
  CAST(COALESCE(SUM(cell.row_count), 0) AS BIGINT) AS kept_rows,
  COUNT(*) AS cell_count
FROM temp.main."sqlgen_cell" AS cell
