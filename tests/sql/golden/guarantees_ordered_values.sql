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
