WITH position AS MATERIALIZED (
  SELECT
    value_id,
    place,
    cumulative,
    CAST(SUM(CAST(cumulative AS HUGEINT)) OVER (ORDER BY place) AS HUGEINT) AS prefix
  FROM (
    SELECT
      value_id,
      ROW_NUMBER() OVER (ORDER BY position) AS place,
      CAST(SUM(reference_count) OVER (ORDER BY position) AS BIGINT) AS cumulative
    FROM (
      SELECT
        value.id_0 AS value_id,
        value.position,
        COALESCE(reference.reference_count, 0) AS reference_count
      FROM value_1 AS value
      LEFT JOIN reference_1 AS reference
        ON value.id_0 = reference.value_id
      WHERE reference.reference_count > 0
        OR value.id_0 IN (SELECT value_id FROM compared_1)
    ) AS occurring_value
  ) AS placed_value
),
step AS (
  SELECT cumulative, MAX(place) AS place, MAX(prefix) AS prefix
  FROM position
  GROUP BY cumulative
),
gap AS (
  SELECT
    histogram.class_id,
    histogram.class_size,
    histogram.reference_rows,
    histogram.reference_values,
    histogram.reference_drift,
    histogram.vanishing_values,
    position.place AS first_place,
    position.prefix - position.cumulative AS prefix_before,
    LEAD(position.place, 1, last.place) OVER class_order AS next_place,
    LEAD(position.prefix - position.cumulative, 1, last.prefix - last.cumulative) OVER class_order AS prefix_end,
    CAST(SUM(histogram.value_count) OVER class_order AS BIGINT) AS class_cumulative,
    ROW_NUMBER() OVER class_order = 1 AS is_first
  FROM compared_1 AS histogram
  JOIN position
    ON histogram.value_id = position.value_id
  CROSS JOIN (SELECT MAX(place) AS place, MAX(prefix) AS prefix, MAX(cumulative) AS cumulative FROM position) AS last
  WINDOW class_order AS (PARTITION BY histogram.class_id ORDER BY position.place)
),
parted_gap AS (
  SELECT
    gap.*,
    GREATEST(first_place - 1, LEAST(COALESCE(step.place, 0), next_place - 1)) AS parting_place,
    CASE
      WHEN COALESCE(step.place, 0) <= first_place - 1 THEN prefix_before
      WHEN step.place >= next_place - 1 THEN prefix_end
      ELSE step.prefix
    END AS prefix_at_parting
  FROM gap
  ASOF LEFT JOIN step
    ON CAST((CAST(gap.reference_rows AS HUGEINT) * gap.class_cumulative) // gap.class_size AS BIGINT) >= step.cumulative
)
SELECT
  class_id,
  class_size,
  reference_rows,
  reference_values,
  reference_drift,
  vanishing_values,
  SUM(
    CASE WHEN is_first THEN CAST(class_size AS HUGEINT) * prefix_before ELSE 0 END
    + CAST(reference_rows AS HUGEINT) * class_cumulative * (parting_place - first_place + 1)
    - CAST(class_size AS HUGEINT) * (prefix_at_parting - prefix_before)
    + CAST(class_size AS HUGEINT) * (prefix_end - prefix_at_parting)
    - CAST(reference_rows AS HUGEINT) * class_cumulative * (next_place - 1 - parting_place)
  ) AS work,
  GREATEST(CAST((SELECT COUNT(*) - 1 FROM position) AS HUGEINT) * class_size * reference_rows, 1) AS unit
FROM parted_gap
GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
