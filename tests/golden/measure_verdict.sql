SELECT
  0 AS node,
  COUNT(*) AS released_classes_1,
  CAST(COALESCE(SUM(class_size), 0) AS BIGINT) AS released_rows_1,
  COALESCE(MIN(class_size), 0) AS smallest_class_1
FROM (
  SELECT CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM temp.main."sqlgen_cell"
  HAVING COUNT(*) > 0
) AS class_size
WHERE NOT (class_size < 3)
