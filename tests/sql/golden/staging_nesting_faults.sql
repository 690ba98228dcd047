SELECT
  1 AS level,
  COUNT(*) AS split_values,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS split_rows
FROM temp.main."sqlgen_ladder_4"
WHERE id_1 IN (
  SELECT id_1
  FROM temp.main."sqlgen_ladder_4"
  GROUP BY id_1
  HAVING MIN(id_2) < MAX(id_2)
)
