SELECT
  class_id,
  FALSE AS fails,
  CASE WHEN COUNT(DISTINCT group_id) = 1 THEN class_size ELSE 0 END AS figure,
  class_size AS repair
FROM (
  SELECT
    histogram.class_id,
    histogram.class_size,
    value.id_1 AS group_id
  FROM histogram_1 AS histogram
  JOIN value_1 AS value
    ON histogram.value_id = value.id_0
) AS class_group
GROUP BY class_id, class_size
