SELECT CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count
FROM temp.main."sqlgen_value_cell" AS cell
WHERE v1 = (SELECT MIN(id_0) FROM temp.main."sqlgen_ladder_3" WHERE value IS NULL)
