WITH
node_class AS (
  FROM sized_class
),
measured_class AS MATERIALIZED (
  SELECT
    node_class.*,
    CAST(class_size AS DOUBLE) * label_1.leaves AS combinations
  FROM node_class
  JOIN temp.main."sqlgen_label" AS label_1
    ON label_1.ladder = 1
    AND label_1.level = 1
    AND label_1.id = node_class.key_1
),
suppressed_label AS (
  SELECT ladder, level, id, SUM(class_size) AS row_count
  FROM (
    SELECT
      UNNEST([1, 2]) AS ladder,
      UNNEST([1, 0]) AS level,
      UNNEST([CAST(key_1 AS UINTEGER), CAST(key_2 AS UINTEGER)]) AS id,
      class_size
    FROM measured_class
    WHERE NOT is_released
  ) AS suppressed_class
  GROUP BY ladder, level, id
),
label_sum AS (
  SELECT
    label.ladder,
    CAST(SUM(suppressed_label.row_count * label.leaves) AS HUGEINT) AS leaves,
    CAST(SUM(suppressed_label.row_count * label.log_leaves) AS HUGEINT) AS log_leaves,
    CAST(SUM(suppressed_label.row_count * label.log_rows) AS HUGEINT) AS log_rows
  FROM suppressed_label
  JOIN temp.main."sqlgen_label" AS label
    ON suppressed_label.ladder = label.ladder
    AND suppressed_label.level = label.level
    AND suppressed_label.id = label.id
  GROUP BY label.ladder
)
SELECT
  is_released,
  CAST(SUM(class_size) AS BIGINT) AS row_count,
  COUNT(*) AS class_count,
  CAST(SUM(CAST(class_size AS HUGEINT) * class_size) AS HUGEINT) AS squares,
  CAST(SUM(CAST(FLOOR(class_size * LN(class_size) * 1e12 + 0.5) AS HUGEINT)) AS HUGEINT) AS logs,
  SUM(combinations ORDER BY combinations ASC) AS combinations,
  (SELECT LIST(leaves ORDER BY ladder ASC) FROM label_sum) AS leaves,
  (SELECT LIST(log_leaves ORDER BY ladder ASC) FROM label_sum) AS log_leaves,
  (SELECT LIST(log_rows ORDER BY ladder ASC) FROM label_sum) AS log_rows
FROM measured_class
GROUP BY is_released
