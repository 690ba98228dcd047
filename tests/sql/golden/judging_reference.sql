reference_1 AS MATERIALIZED (
  SELECT
    v1 AS value_id,
    CAST(SUM(row_count) AS BIGINT) AS reference_count
  FROM class_cell_0
  GROUP BY v1
),
total_1 AS MATERIALIZED (
  SELECT
    CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
    COUNT(*) AS reference_values,
    0 AS vanishing_values,
    0 AS reference_drift,
    COUNT(*) AS lasting_values
  FROM reference_1
),
compared_1 AS MATERIALIZED (
  SELECT
    histogram.*,
    COALESCE(reference.reference_count, 0) AS reference_count,
    total.reference_rows,
    total.reference_values,
    total.vanishing_values,
    total.reference_drift,
    total.lasting_values
  FROM histogram_1 AS histogram
  LEFT JOIN reference_1 AS reference
    ON histogram.value_id = reference.value_id
  CROSS JOIN total_1 AS total
)
