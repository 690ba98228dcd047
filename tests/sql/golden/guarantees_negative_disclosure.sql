SELECT
  class_id,
  BOOL_OR(contradicts OR posterior_part * 100 < 1 * posterior_whole * (1 - 0)) AS fails,
  MIN(CASE WHEN contradicts THEN 0 ELSE posterior_part / posterior_whole END) AS figure,
  0 AS repair
FROM (
  WITH ranked_value AS (
    SELECT
      value_id,
      reference_count,
      ROW_NUMBER() OVER (ORDER BY reference_count DESC, value_id ASC) AS place
    FROM reference_1
  ),
  first_absent AS (
    SELECT
      class_id,
      class_size,
      reference_rows,
      COALESCE(MAX(held) FILTER (WHERE held = place), 0) + 1 AS place
    FROM (
      SELECT
        histogram.class_id,
        histogram.class_size,
        histogram.reference_rows,
        ranked_value.place,
        ROW_NUMBER() OVER (PARTITION BY histogram.class_id ORDER BY ranked_value.place ASC) AS held
      FROM compared_1 AS histogram
      JOIN ranked_value
        ON histogram.value_id = ranked_value.value_id
    ) AS held_value
    GROUP BY class_id, class_size, reference_rows
  )
  SELECT
    class_id,
    CAST(reference_count AS HUGEINT) AS prior_part,
    CAST(reference_rows AS HUGEINT) AS prior_whole,
    CAST(value_count AS HUGEINT) AS posterior_part,
    CAST(class_size AS HUGEINT) AS posterior_whole,
    FALSE AS contradicts
  FROM compared_1
  UNION ALL
  SELECT
    first_absent.class_id,
    ranked_value.reference_count,
    first_absent.reference_rows,
    0,
    first_absent.class_size,
    FALSE
  FROM first_absent
  JOIN ranked_value
    ON first_absent.place = ranked_value.place
) AS class_belief
GROUP BY class_id
