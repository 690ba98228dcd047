SELECT
  1 AS bucket,
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count
FROM temp.main."sqlgen_check_cell"
WHERE row_count >= 1 AND row_count <= 1
UNION ALL
SELECT
  2 AS bucket,
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count
FROM temp.main."sqlgen_check_cell"
WHERE row_count >= 2 AND row_count <= 2
UNION ALL
SELECT
  3 AS bucket,
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count
FROM temp.main."sqlgen_check_cell"
WHERE row_count >= 3 AND row_count <= 4
UNION ALL
SELECT
  4 AS bucket,
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count
FROM temp.main."sqlgen_check_cell"
WHERE row_count >= 5 AND row_count <= 9
UNION ALL
SELECT
  5 AS bucket,
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count
FROM temp.main."sqlgen_check_cell"
WHERE row_count >= 10 AND row_count <= 19
UNION ALL
SELECT
  6 AS bucket,
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count
FROM temp.main."sqlgen_check_cell"
WHERE row_count >= 20 AND row_count <= 49
UNION ALL
SELECT
  7 AS bucket,
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count
FROM temp.main."sqlgen_check_cell"
WHERE row_count >= 50 AND row_count <= 99
UNION ALL
SELECT
  8 AS bucket,
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count
FROM temp.main."sqlgen_check_cell"
WHERE row_count >= 100 AND row_count <= 999
UNION ALL
SELECT
  9 AS bucket,
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count
FROM temp.main."sqlgen_check_cell"
WHERE row_count >= 1000 AND row_count <= 9223372036854775807
