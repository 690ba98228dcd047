SELECT
  class_id,
  class_size,
  reference_rows,
  reference_values,
  reference_drift,
  vanishing_values,
  SUM(ABS(CAST(reference_rows AS HUGEINT) * cut_count - CAST(class_size AS HUGEINT) * reference_count))
    + CAST(class_size AS HUGEINT) * (2 * CAST(reference_rows AS HUGEINT) - SUM(reference_count)) AS work,
  CAST(4 AS HUGEINT) * class_size * reference_rows AS unit
FROM (
  SELECT
    class_cut.*,
    COALESCE(reference_cut.reference_count, 0) AS reference_count
  FROM (
    SELECT
      histogram.class_id,
      histogram.class_size,
      histogram.reference_rows,
      histogram.reference_values,
      histogram.reference_drift,
      histogram.vanishing_values,
      0 AS level,
      value.id_0 AS cut_id,
      CAST(SUM(histogram.value_count) AS BIGINT) AS cut_count
    FROM compared_1 AS histogram
    JOIN value_1 AS value
      ON histogram.value_id = value.id_0
    GROUP BY histogram.class_id, histogram.class_size, histogram.reference_rows, histogram.reference_values, histogram.reference_drift, histogram.vanishing_values, value.id_0
    UNION ALL
    SELECT
      histogram.class_id,
      histogram.class_size,
      histogram.reference_rows,
      histogram.reference_values,
      histogram.reference_drift,
      histogram.vanishing_values,
      1 AS level,
      value.id_1 AS cut_id,
      CAST(SUM(histogram.value_count) AS BIGINT) AS cut_count
    FROM compared_1 AS histogram
    JOIN value_1 AS value
      ON histogram.value_id = value.id_0
    GROUP BY histogram.class_id, histogram.class_size, histogram.reference_rows, histogram.reference_values, histogram.reference_drift, histogram.vanishing_values, value.id_1
  ) AS class_cut
  LEFT JOIN (
    SELECT
      0 AS level,
      value.id_0 AS cut_id,
      CAST(SUM(reference.reference_count) AS BIGINT) AS reference_count
    FROM reference_1 AS reference
    JOIN value_1 AS value
      ON reference.value_id = value.id_0
    GROUP BY value.id_0
    UNION ALL
    SELECT
      1 AS level,
      value.id_1 AS cut_id,
      CAST(SUM(reference.reference_count) AS BIGINT) AS reference_count
    FROM reference_1 AS reference
    JOIN value_1 AS value
      ON reference.value_id = value.id_0
    GROUP BY value.id_1
  ) AS reference_cut
    ON class_cut.level = reference_cut.level
    AND class_cut.cut_id = reference_cut.cut_id
) AS compared_cut
GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
