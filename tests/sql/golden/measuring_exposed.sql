WITH
released_cell AS MATERIALIZED (
  WITH
  node_class AS (
    SELECT
      CAST((word_1 >> 0) & 3 AS UTINYINT) AS key_1,
      CAST((word_1 >> 6) & 1 AS UTINYINT) AS key_2,
      class_size,
      NOT (class_size < 3) AS is_released
    FROM (
      SELECT
        word_1 & 67 AS word_1,
        CAST(SUM(row_count) AS BIGINT) AS class_size
      FROM temp.main."sqlgen_cell"
      GROUP BY word_1 & 67
    ) AS class_size
  )
  SELECT cell.*
  FROM temp.main."sqlgen_value_cell" AS cell
  JOIN node_class
    ON cell."q1_0" = node_class.key_1 AND cell."q2_1" = node_class.key_2
  WHERE is_released
),
counted AS MATERIALIZED (
  SELECT
    q1_0 AS key_1,
    q2_1 AS key_2,
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM released_cell AS cell
  GROUP BY q1_0, q2_1, v1
),
class AS MATERIALIZED (
  SELECT
    key_1,
    key_2,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY key_1, key_2
),
class_0 AS (
  SELECT class_id, class_size
  FROM class
  WHERE NOT (FALSE)
),
class_cell_0 AS MATERIALIZED (
  SELECT
    class.class_id,
    class.class_size,
    counted.v1,
    counted.row_count
  FROM counted
  JOIN class
    ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2
  WHERE NOT (FALSE)
)
SELECT
  CAST(COALESCE(SUM(class_size), 0) AS BIGINT) AS released_rows,
  COALESCE(SUM(figure_1), 0) AS measured_1,
  COALESCE(MAX(figure_2), 0) AS measured_2
FROM (
  WITH
    histogram_1 AS (
      SELECT
        class_id,
        class_size,
        v1 AS value_id,
        row_count AS value_count
      FROM class_cell_0
    ),
    sized_1 AS (
      SELECT class_id, class_size
      FROM class_0
    ),
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
  SELECT
    class_id,
    class_size,
    fails_1 OR fails_2 AS fails,
    LEAST(class_size, GREATEST(0, repair_2)) AS repair,
    figure_1,
    fails_1,
    figure_2,
    fails_2
  FROM (
    SELECT
      class.class_id,
      class.class_size,
      verdict_1.figure AS figure_1,
      CASE WHEN verdict_1.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_1.figure <= 1.7976931348623157e308, FALSE) END AS fails_1,
      CASE
        WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_1,
      verdict_2.figure AS figure_2,
      CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_2,
      CASE
        WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_2
    FROM class_0 AS class
    LEFT JOIN (
      SELECT
        class_id,
        FALSE AS fails,
        CASE WHEN COUNT(*) <= 1 THEN class_size ELSE 0 END AS figure,
        class_size AS repair
      FROM histogram_1
      GROUP BY class_id, class_size
    ) AS verdict_1
      ON class.class_id = verdict_1.class_id
    LEFT JOIN (
      SELECT
        class_id,
        FALSE AS fails,
        MAX(value_count / GREATEST(1, class_size * (reference_count / reference_rows))) AS figure,
        0 AS repair
      FROM compared_1
      GROUP BY class_id
    ) AS verdict_2
      ON class.class_id = verdict_2.class_id
  ) AS judged
) AS verdict
