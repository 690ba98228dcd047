SELECT
  bucket.number AS bucket,
  COUNT(*) AS class_count,
  CAST(SUM(cell.row_count) AS BIGINT) AS row_count
FROM (VALUES (1, 1, 1), (2, 2, 2), (3, 3, 4), (4, 5, 9), (5, 10, 19), (6, 20, 49), (7, 50, 99), (8, 100, 999), (9, 1000, 9223372036854775807)) AS bucket (number, least, most)
JOIN temp.main."sqlgen_check_cell" AS cell
  ON cell.row_count >= bucket.least
  AND cell.row_count <= bucket.most
GROUP BY bucket.number
