SELECT
  CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
  COUNT(*) AS reference_values,
  0 AS vanishing_values,
  0 AS reference_drift,
  COUNT(*) AS lasting_values
FROM reference_1
