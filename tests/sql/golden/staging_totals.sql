SELECT
  (SELECT COUNT(*) FROM "memory"."main"."patients") AS row_count,
  CAST(COALESCE(SUM(cell.row_count), 0) AS BIGINT) AS kept_rows,
  COUNT(*) AS cell_count,
  CAST(COALESCE(SUM(CAST(FLOOR(cell.row_count * LN(cell.row_count) * 1e12 + 0.5) AS HUGEINT)), 0) AS HUGEINT) AS cell_logs
FROM temp.main."sqlgen_cell" AS cell
