SELECT
  class_id,
  class_size,
  reference_rows,
  reference_values,
  reference_drift,
  vanishing_values,
  SUM(ABS(CAST(reference_rows AS BIGINT) * cut_count - CAST(class_size AS BIGINT) * reference_count)) AS work,
  CAST(4 AS HUGEINT) * class_size * reference_rows AS unit
FROM (
  SELECT
    dense.class_id,
    dense.class_size,
    dense.reference_rows,
    dense.reference_values,
    dense.reference_drift,
    dense.vanishing_values,
    CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
    CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
  FROM around AS dense
  JOIN temp.main."sqlgen_ladder_3" AS value
    ON dense.value_id = value.id_0
  GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_0
  UNION ALL
  SELECT
    dense.class_id,
    dense.class_size,
    dense.reference_rows,
    dense.reference_values,
    dense.reference_drift,
    dense.vanishing_values,
    CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
    CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
  FROM around AS dense
  JOIN temp.main."sqlgen_ladder_3" AS value
    ON dense.value_id = value.id_0
  GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_1
) AS cut
GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
