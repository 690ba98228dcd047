SELECT
  CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
  COUNT(*) AS reference_values,
  COUNT(*) FILTER (WHERE rarest_rows <= 12) AS vanishing_values,
  COUNT(*) FILTER (WHERE rarest_rows <= 12) AS reference_drift,
  COUNT(*) FILTER (WHERE smallest_rows > 12) AS lasting_values
FROM (
  SELECT
    reference_count,
    MIN(row_count) OVER () AS smallest_rows,
    SUM(row_count) OVER (ORDER BY row_count ASC ROWS UNBOUNDED PRECEDING) AS rarest_rows
  FROM (SELECT 1 AS reference_count, SUM(row_count) AS row_count FROM class_cell_0 GROUP BY v1) AS value_rows
) AS rarest
