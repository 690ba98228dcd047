SELECT
  COALESCE(SUM(combinations ORDER BY combinations), 0) AS combinations,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * leaves_11), 0) AS HUGEINT) AS leaves_11,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * log_leaves_11), 0) AS HUGEINT) AS log_leaves_11,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * log_rows_11), 0) AS HUGEINT) AS log_rows_11,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * level_11), 0) AS HUGEINT) AS level_11,
  COALESCE(MAX(level_11), 0) AS highest_11,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * leaves_12), 0) AS HUGEINT) AS leaves_12,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * log_leaves_12), 0) AS HUGEINT) AS log_leaves_12,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * log_rows_12), 0) AS HUGEINT) AS log_rows_12,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * level_12), 0) AS HUGEINT) AS level_12,
  COALESCE(MAX(level_12), 0) AS highest_12
FROM (
  SELECT
    class.class_size,
    name_11.leaves AS leaves_11,
    name_11.log_leaves AS log_leaves_11,
    name_11.log_rows AS log_rows_11,
    name_11.level AS level_11,
    name_12.leaves AS leaves_12,
    name_12.log_leaves AS log_leaves_12,
    name_12.log_rows AS log_rows_12,
    name_12.level AS level_12,
    CAST(class.class_size AS DOUBLE) * name_11.leaves * name_12.leaves AS combinations
  FROM (
    SELECT
      q1,
      q2,
      CAST(SUM(row_count) AS BIGINT) AS class_size
    FROM temp.main."sqlgen_shown_cell"
    GROUP BY q1, q2
  ) AS class
  JOIN (SELECT label, level, leaves, log_leaves, log_rows FROM temp.main."sqlgen_shown_label_11" WHERE level = 0) AS name_11
    ON CAST(class.q1 AS VARCHAR) COLLATE C IS NOT DISTINCT FROM name_11.label
  JOIN (SELECT label, level, leaves, log_leaves, log_rows FROM temp.main."sqlgen_shown_label_12" WHERE level = 1) AS name_12
    ON CAST(class.q2 AS VARCHAR) COLLATE C IS NOT DISTINCT FROM name_12.label
) AS named_class
