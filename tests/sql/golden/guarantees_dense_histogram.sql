(
  SELECT
    class.class_id,
    class.class_size,
    position.value_id,
    COALESCE(histogram.value_count, 0) AS value_count,
    COALESCE(reference.reference_count, 0) AS reference_count,
    class.reference_rows,
    class.reference_values,
    class.reference_drift,
    class.vanishing_values
  FROM (
    SELECT DISTINCT class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
    FROM compared_2
  ) AS class
  CROSS JOIN position
  LEFT JOIN compared_2 AS histogram
    ON class.class_id = histogram.class_id
    AND position.value_id = histogram.value_id
  LEFT JOIN reference_2 AS reference
    ON position.value_id = reference.value_id
)
