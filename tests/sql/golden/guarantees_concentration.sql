SELECT
  class_id,
  FALSE AS fails,
  MAX(value_count / GREATEST(1, class_size * (reference_count / reference_rows))) AS figure,
  0 AS repair
FROM compared_1
GROUP BY class_id
