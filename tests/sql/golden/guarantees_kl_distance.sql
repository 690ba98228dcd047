SELECT
  class_id,
  class_size,
  CASE
    WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
    ELSE GREATEST(0, SUM(value_count * (LN(value_count / class_size) - LN(NULLIF(reference_count, 0) / reference_rows))) / class_size)
  END AS distance,
  LN(reference_rows / (SELECT MIN(reference_count) FROM reference_4 WHERE reference_count > 0)) AS most
FROM compared_4
GROUP BY class_id, class_size, reference_rows
