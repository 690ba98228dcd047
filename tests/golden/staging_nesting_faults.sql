SELECT
  1 AS level,
  COUNT(*) AS split_values,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS split_rows
FROM temp.main."sqlgen_ladder_1"
WHERE id_1 IN (
  SELECT id_1
  FROM temp.main."sqlgen_ladder_1"
  GROUP BY id_1
  HAVING MIN(id_2) < MAX(id_2)
)
UNION ALL
SELECT
  2 AS level,
  COUNT(*) AS split_values,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS split_rows
FROM temp.main."sqlgen_ladder_1"
WHERE id_2 IN (
  SELECT id_2
  FROM temp.main."sqlgen_ladder_1"
  GROUP BY id_2
  HAVING MIN(id_3) < MAX(id_3)
)
UNION ALL
SELECT
  3 AS level,
  COUNT(*) AS split_values,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS split_rows
FROM temp.main."sqlgen_ladder_1"
WHERE id_3 IN (
  SELECT id_3
  FROM temp.main."sqlgen_ladder_1"
  GROUP BY id_3
  HAVING MIN(id_4) < MAX(id_4)
)
UNION ALL
SELECT
  4 AS level,
  COUNT(*) AS split_values,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS split_rows
FROM temp.main."sqlgen_ladder_1"
WHERE id_4 IN (
  SELECT id_4
  FROM temp.main."sqlgen_ladder_1"
  GROUP BY id_4
  HAVING MIN(id_5) < MAX(id_5)
)
