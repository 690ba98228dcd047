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
),
measured_class AS MATERIALIZED (
  SELECT
    class_size,
    is_released,
    CAST(class_size AS DOUBLE) * label_2.leaves AS combinations
  FROM node_class
  JOIN temp.main."sqlgen_label" AS label_2
    ON label_2.ladder = 2
    AND label_2.level = 1
    AND label_2.id = node_class.key_2
)
SELECT
  FALSE AS is_whole,
  CAST(COALESCE(SUM(class_size), 0) AS BIGINT) AS released_rows,
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * class_size), 0) AS HUGEINT) AS squares,
  CAST(COALESCE(SUM(CAST(FLOOR(class_size * LN(class_size) * 1e12 + 0.5) AS HUGEINT)), 0) AS HUGEINT) AS logs,
  COALESCE(SUM(combinations ORDER BY combinations ASC), 0) AS combinations
FROM measured_class
WHERE is_released
