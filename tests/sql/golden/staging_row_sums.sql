WITH
leaf_1 AS MATERIALIZED (
  SELECT CAST((word_1 >> 0) & 1 AS UTINYINT) AS id_0, SUM(row_count) AS row_count
  FROM temp.main."sqlgen_cell"
  GROUP BY CAST((word_1 >> 0) & 1 AS UTINYINT)
),
label_class AS (
  SELECT
    label.ladder,
    label.level,
    label.leaves,
    label.log_leaves,
    label.log_rows,
    CAST(SUM(leaf_1.row_count) AS HUGEINT) AS class_size
  FROM leaf_1
  JOIN (SELECT value, row_count, missing_level, is_kept, id_0, id_1 FROM temp.main."sqlgen_leaf" WHERE ladder = 1) AS ladder
    ON leaf_1.id_0 = ladder.id_0
  JOIN temp.main."sqlgen_label" AS label
    ON label.ladder = 1
    AND label.level = 0
    AND label.id = ladder.id_0
  GROUP BY label.ladder, label.level, label.id, label.leaves, label.log_leaves, label.log_rows
  UNION ALL
  SELECT
    label.ladder,
    label.level,
    label.leaves,
    label.log_leaves,
    label.log_rows,
    CAST(SUM(leaf_1.row_count) AS HUGEINT) AS class_size
  FROM leaf_1
  JOIN (SELECT value, row_count, missing_level, is_kept, id_0, id_1 FROM temp.main."sqlgen_leaf" WHERE ladder = 1) AS ladder
    ON leaf_1.id_0 = ladder.id_0
  JOIN temp.main."sqlgen_label" AS label
    ON label.ladder = 1
    AND label.level = 1
    AND label.id = ladder.id_1
  GROUP BY label.ladder, label.level, label.id, label.leaves, label.log_leaves, label.log_rows
)
SELECT
  ladder,
  level,
  COUNT(*) AS labels,
  CAST(SUM(class_size * leaves) AS HUGEINT) AS leaves,
  CAST(SUM(class_size * log_leaves) AS HUGEINT) AS log_leaves,
  CAST(SUM(class_size * log_rows) AS HUGEINT) AS log_rows,
  CAST(SUM(CAST(FLOOR(class_size * LN(class_size) * 1e12 + 0.5) AS HUGEINT)) AS HUGEINT) AS class_logs
FROM label_class
GROUP BY ladder, level
