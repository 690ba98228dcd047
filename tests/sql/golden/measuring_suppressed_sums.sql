WITH
node_class AS (
  SELECT
    *,
    COALESCE(NOT fails, FALSE) AS is_released
  FROM temp.main."sqlgen_kept"
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
  CAST(SUM(suppressed_label.row_count * label.leaves) AS HUGEINT) AS leaves,
  CAST(SUM(suppressed_label.row_count * label.log_leaves) AS HUGEINT) AS log_leaves,
  CAST(SUM(suppressed_label.row_count * label.log_rows) AS HUGEINT) AS log_rows
FROM suppressed_label
JOIN temp.main."sqlgen_label" AS label
  ON suppressed_label.ladder = label.ladder
  AND suppressed_label.level = label.level
  AND suppressed_label.id = label.id
GROUP BY label.ladder
