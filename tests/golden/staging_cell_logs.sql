SELECT CAST(COALESCE(SUM(CAST(FLOOR(row_count * LN(row_count) * 1e12 + 0.5) AS HUGEINT)), 0) AS HUGEINT) AS cell_logs
FROM temp.main."sqlgen_cell" AS cell
