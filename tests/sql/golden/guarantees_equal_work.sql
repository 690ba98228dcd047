SELECT
  class_id,
  class_size,
  reference_rows,
  reference_values,
  reference_drift,
  vanishing_values,
  SUM(ABS(CAST(reference_rows AS HUGEINT) * value_count - CAST(class_size AS HUGEINT) * reference_count))
    + CAST(class_size AS HUGEINT) * (reference_rows - CAST(SUM(reference_count) AS BIGINT)) AS work,
  CAST(2 AS HUGEINT) * class_size * reference_rows AS unit
FROM compared_1
GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
