SELECT
  class_id,
  FALSE AS fails,
  CASE WHEN COUNT(*) <= 1 THEN class_size ELSE 0 END AS figure,
  class_size AS repair
FROM histogram_1
GROUP BY class_id, class_size
