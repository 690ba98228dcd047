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
bound AS MATERIALIZED (
  SELECT
    MIN(reference_rows) AS reference_rows,
    MIN(reference_values) AS reference_values,
    MIN(reference_drift) AS reference_drift,
    MIN(vanishing_values) AS vanishing_values,
    (SELECT MAX(place) FROM position) AS last_place,
    (SELECT MAX(prefix) - MAX(cumulative) FROM position) AS last_prefix
  FROM compared_1
),
gap AS (
  SELECT
    histogram.class_id,
    histogram.class_size,
    position.place AS first_place,
    position.prefix - position.cumulative AS prefix_before,
    LEAD(position.place) OVER class_order AS next_place,
    LEAD(position.prefix - position.cumulative) OVER class_order AS prefix_end,
    CAST(SUM(histogram.value_count) OVER class_order AS BIGINT) AS class_cumulative,
    ROW_NUMBER() OVER class_order = 1 AS is_first
  FROM compared_1 AS histogram
  JOIN position
    ON histogram.value_id = position.value_id
  WINDOW class_order AS (PARTITION BY histogram.class_id ORDER BY position.place)
),
ended_gap AS (
  SELECT
    gap.class_id,
    gap.class_size,
    gap.first_place,
    gap.prefix_before,
    COALESCE(gap.next_place, bound.last_place) AS next_place,
    COALESCE(gap.prefix_end, bound.last_prefix) AS prefix_end,
    gap.class_cumulative,
    gap.is_first,
    CAST((CAST(bound.reference_rows AS HUGEINT) * gap.class_cumulative) // gap.class_size AS BIGINT) AS reached
  FROM gap
  CROSS JOIN bound
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
  FROM ended_gap AS gap
  ASOF LEFT JOIN step
    ON gap.reached >= step.cumulative
)
SELECT
  class_id,
  class_size,
  reference_rows,
  reference_values,
  reference_drift,
  vanishing_values,
  work,
  GREATEST(CAST(last_place - 1 AS HUGEINT) * class_size * reference_rows, 1) AS unit
FROM (
  SELECT
    class_id,
    class_size,
    SUM(
      CAST(class_size AS HUGEINT) * (CASE WHEN is_first THEN prefix_before ELSE 0 END + prefix_before + prefix_end - 2 * prefix_at_parting)
      + CAST((SELECT reference_rows FROM bound) AS HUGEINT) * (class_cumulative * (2 * parting_place - first_place - next_place + 2))
    ) AS work
  FROM parted_gap
  GROUP BY class_id, class_size
) AS class_work
CROSS JOIN bound
