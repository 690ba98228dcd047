SELECT
  block.class_id,
  BOOL_OR(COALESCE(verdict.fails, TRUE) OR NOT COALESCE(verdict.figure >= CAST(0.999999899 AS DOUBLE) AND verdict.figure <= 1.7976931348623157e308, FALSE)) AS fails,
  MIN(verdict.figure) AS figure,
  SUM(CASE WHEN verdict.fails THEN LEAST(GREATEST(verdict.repair, 0), block.block_size) ELSE 0 END) AS repair
FROM (
  SELECT
    class_id,
    COUNT(*) < 1 AS fails,
    COUNT(*) AS figure,
    class_size AS repair
  FROM histogram_1
  GROUP BY class_id, class_size
) AS verdict
JOIN block_1 AS block
  ON verdict.class_id = block.block_id
GROUP BY block.class_id
