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
      FROM value_1 AS value
      LEFT JOIN reference_1 AS reference
        ON value.id_0 = reference.value_id
      WHERE reference.reference_count > 0
    ) AS occurring_value
  ) AS placed_value
),
class_start AS MATERIALIZED (
  SELECT
    class_id,
    class_size,
    CAST(SUM(class_size) OVER (ORDER BY class_id ASC) - class_size AS BIGINT) AS rows_before
  FROM sized_1
),
class_sum AS MATERIALIZED (
  SELECT
    class_id,
    MIN(class_size) AS class_size,
    SUM(CASE WHEN was_ahead = is_ahead THEN 0 WHEN was_ahead THEN prefix_before ELSE -prefix_before END) AS prefixes,
    SUM((place - 1) * (CASE WHEN was_ahead THEN mass_before ELSE -mass_before END + CASE WHEN is_ahead THEN -mass ELSE mass END)) AS masses,
    LIST(mass_before) FILTER (WHERE is_parted) AS parted_masses
  FROM (
    SELECT
      class_id,
      class_size,
      place,
      prefix_before,
      mass_before,
      mass,
      class_size * cumulative_before > owed_before AS was_ahead,
      class_size * cumulative > CAST(reference_rows AS HUGEINT) * mass AS is_ahead,
      mass_before > 0 AND class_size * cumulative_before > owed_before AND class_size * last_cumulative <= owed_before AS is_parted
    FROM (
      SELECT
        class_start.class_id,
        CAST(class_start.class_size AS HUGEINT) AS class_size,
        position.place,
        position.prefix_before,
        position.cumulative_before,
        position.cumulative,
        last_position.cumulative AS last_cumulative,
        running_rows - class_start.rows_before - value_count AS mass_before,
        running_rows - class_start.rows_before AS mass,
        CAST(total.reference_rows AS HUGEINT) * (running_rows - class_start.rows_before - value_count) AS owed_before,
        total.reference_rows
      FROM (
        SELECT
          class_id,
          value_id,
          value_count,
          CAST(SUM(value_count) OVER class_order AS BIGINT) AS running_rows,
          LAG(value_id) OVER class_order AS last_value_id
        FROM (
          SELECT
            CAST(histogram.class_id AS UINTEGER) AS class_id,
            CAST(position.place AS UINTEGER) AS place,
            histogram.value_id,
            histogram.value_count
          FROM histogram_1 AS histogram
          JOIN position
            ON histogram.value_id = position.value_id
        ) AS placed_value
        WINDOW class_order AS (ORDER BY class_id ASC, place ASC ROWS UNBOUNDED PRECEDING)
      ) AS running_value
      JOIN position
        ON running_value.value_id = position.value_id
      LEFT JOIN position AS last_position
        ON running_value.last_value_id = last_position.value_id
      JOIN class_start
        ON running_value.class_id = class_start.class_id
      CROSS JOIN total_1 AS total
    ) AS class_value
  ) AS class_value
  GROUP BY class_id
),
parted AS (
  SELECT class_id, SUM(prefix) AS prefixes, SUM(mass * place) AS masses
  FROM (
    SELECT class_id, mass, MAX(place) OVER up_to AS place, MAX(prefix) OVER up_to AS prefix
    FROM (
      SELECT
        class_id,
        mass,
        CAST(total.reference_rows AS HUGEINT) * mass // class_size AS reached,
        0 AS place,
        0 AS prefix
      FROM (SELECT class_id, class_size, UNNEST(parted_masses) AS mass FROM class_sum) AS gap
      CROSS JOIN total_1 AS total
      UNION ALL
      SELECT NULL, NULL, cumulative, place, prefix_before + cumulative
      FROM position
    ) AS gap_or_place
    WINDOW up_to AS (ORDER BY reached ASC)
  ) AS parted_gap
  WHERE class_id IS NOT NULL
  GROUP BY class_id
)
SELECT
  class_sum.class_id,
  class_sum.class_size,
  reference_rows,
  reference_values,
  reference_drift,
  vanishing_values,
  CAST(class_sum.class_size AS HUGEINT) * (2 * (class_sum.prefixes - COALESCE(parted.prefixes, 0)) - last_prefix)
    - CAST(reference_rows AS HUGEINT) * (class_sum.masses - 2 * COALESCE(parted.masses, 0) - CAST(last_place AS HUGEINT) * class_sum.class_size) AS work,
  GREATEST(CAST(last_place - 1 AS HUGEINT) * class_sum.class_size * reference_rows, 1) AS unit
FROM class_sum
LEFT JOIN parted
  ON class_sum.class_id = parted.class_id
CROSS JOIN total_1 AS total
CROSS JOIN (SELECT MAX(place) AS last_place, MAX(prefix_before + cumulative) AS last_prefix FROM position) AS last_position
