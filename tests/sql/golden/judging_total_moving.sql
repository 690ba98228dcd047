SELECT
  CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
  COUNT(*) AS reference_values,
  COUNT(*) FILTER (WHERE rarest_rows <= 12) AS vanishing_values,
  12 AS reference_drift,
  COUNT(*) FILTER (WHERE reference_count > 12) AS lasting_values
FROM (
  SELECT
    reference_count,
    SUM(reference_count) OVER (ORDER BY reference_count ASC ROWS UNBOUNDED PRECEDING) AS rarest_rows
  FROM reference_2
) AS rarest
