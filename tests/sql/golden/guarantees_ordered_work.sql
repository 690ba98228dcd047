WITH position AS MATERIALIZED (
  SELECT
    value_id,
    place,
    cumulative - reference_count AS cumulative_before,
    cumulative,
    CAST(SUM(CAST(cumulative AS HUGEINT)) OVER (ORDER BY place ASC) - cumulative AS HUGEINT) AS prefix_before
  FROM (
    SELECT
      value_id,
      reference_count,
      ROW_NUMBER() OVER (ORDER BY position ASC) AS place,
      CAST(SUM(reference_count) OVER (ORDER BY position ASC) AS BIGINT) AS cumulative
    FROM (
      SELECT
        value.id_0 AS value_id,
        value.position,
        COALESCE(reference.reference_count, 0) AS reference_count
      FROM temp.main."sqlgen_ladder_3" AS value
      LEFT JOIN reference_2 AS reference
        ON value.id_0 = reference.value_id
      WHERE reference.reference_count > 0
    ) AS occurring_value
  ) AS placed_value
)
SELECT
  class_id,
  class_size,
  reference_rows,
  reference_values,
  reference_drift,
  vanishing_values,
  COALESCE(SUM(places * ABS(CAST(reference_rows AS HUGEINT) * class_cumulative - CAST(class_size AS HUGEINT) * reference_cumulative)), 0) AS work,
  GREATEST(CAST((SELECT COUNT(*) - 1 FROM position) AS HUGEINT) * class_size * reference_rows, 1) AS unit
FROM (
  SELECT
    dense.*,
    CAST(LEAD(position.place) OVER class_order - position.place AS HUGEINT) AS places,
    CAST(SUM(dense.value_count) OVER class_order AS BIGINT) AS class_cumulative,
    CAST(SUM(dense.reference_count) OVER class_order AS BIGINT) AS reference_cumulative
  FROM (
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
) AS dense
  JOIN position
    ON dense.value_id = position.value_id
  WINDOW class_order AS (PARTITION BY dense.class_id ORDER BY position.place ASC)
) AS cumulative
GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
