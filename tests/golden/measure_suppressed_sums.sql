WITH
counted AS MATERIALIZED (
  SELECT
    q1_0 AS key_1,
    q2_0 AS key_2,
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM temp.main."sqlgen_value_cell" AS cell
  GROUP BY q1_0, q2_0, v1
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
  WHERE NOT (class_size < 2)
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
  WHERE NOT (class_size < 2)
),
node_class AS (
  SELECT
    class.*,
    COALESCE(NOT verdict.fails, FALSE) AS is_released
  FROM class
  LEFT JOIN (
    WITH
      histogram_1 AS (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          row_count AS value_count
        FROM class_cell_0
      )
    SELECT
      class_id,
      class_size,
      fails_1 AS fails,
      LEAST(class_size, GREATEST(0, repair_1)) AS repair,
      figure_1,
      fails_1
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        verdict_1.figure AS figure_1,
        (class_size < 2) OR COALESCE(verdict_1.fails, TRUE) AS fails_1,
        CASE
          WHEN class_size < 2 THEN class_size
          WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_1
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 2 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_1
        ON class.class_id = verdict_1.class_id
    ) AS judged
  ) AS verdict
    ON class.class_id = verdict.class_id
),
suppressed_label AS (
  SELECT ladder, level, id, SUM(class_size) AS row_count
  FROM (
    SELECT
      UNNEST([1, 2]) AS ladder,
      UNNEST([0, 0]) AS level,
      UNNEST([CAST(key_1 AS UINTEGER), CAST(key_2 AS UINTEGER)]) AS id,
      class_size
    FROM node_class
    WHERE NOT is_released
  ) AS suppressed_class
  GROUP BY ladder, level, id
)
SELECT
  label.ladder,
  CAST(SUM(suppressed_label.row_count * label.leaves) AS HUGEINT) AS leaves
FROM suppressed_label
JOIN temp.main."sqlgen_label" AS label
  ON suppressed_label.ladder = label.ladder
  AND suppressed_label.level = label.level
  AND suppressed_label.id = label.id
GROUP BY label.ladder
