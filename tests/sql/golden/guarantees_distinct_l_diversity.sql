SELECT
  class_id,
  COUNT(*) < 1 AS fails,
  COUNT(*) AS figure,
  class_size AS repair
FROM histogram_1
GROUP BY class_id, class_size
