SELECT
  class_id,
  BOOL_OR(value_count * CAST(reference_rows AS HUGEINT) * 1 > class_size * CAST(reference_count AS HUGEINT) * 5) AS fails,
  CASE
    WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
    ELSE MAX((value_count / class_size) / NULLIF(reference_count / reference_rows, 0))
  END AS figure,
  MAX(CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END) AS repair
FROM (
  SELECT
    *,
    reference_count * (5 / 1) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share
  FROM compared_2
) AS bounded_value
GROUP BY class_id, class_size
