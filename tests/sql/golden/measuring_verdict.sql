SELECT
  node,
  COUNT(*) AS released_classes_1,
  CAST(SUM(class_size) AS BIGINT) AS released_rows_1,
  MIN(class_size) AS smallest_class_1
FROM (
  SELECT node, CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM temp.main."sqlgen_cell"
  CROSS JOIN (
    SELECT
      UNNEST(RANGE(4)) AS node,
      UNNEST([0, 4, 3, 67]) AS mask_1
  ) AS asked
  GROUP BY node, word_1 & mask_1
) AS class_size
WHERE NOT (class_size < 3)
GROUP BY node
