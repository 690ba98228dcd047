SELECT
  (
    SELECT CAST(COALESCE(SUM(CAST(FLOOR(row_count * LN(row_count) * 1e12 + 0.5) AS HUGEINT)), 0) AS HUGEINT) AS cell_logs
    FROM (
      SELECT COUNT(*) AS row_count
      FROM "memory"."main"."patients" AS source
      GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C, "source"."age"
    ) AS cell
  ) AS cell_logs,
  COALESCE(SUM(combinations ORDER BY combinations ASC), 0) AS combinations,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * leaves_1), 0) AS HUGEINT) AS leaves_1,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * log_leaves_1), 0) AS HUGEINT) AS log_leaves_1,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * log_rows_1), 0) AS HUGEINT) AS log_rows_1,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * level_1), 0) AS HUGEINT) AS level_1,
  COALESCE(MAX(level_1), 0) AS highest_1,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * leaves_2), 0) AS HUGEINT) AS leaves_2,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * log_leaves_2), 0) AS HUGEINT) AS log_leaves_2,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * log_rows_2), 0) AS HUGEINT) AS log_rows_2,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * level_2), 0) AS HUGEINT) AS level_2,
  COALESCE(MAX(level_2), 0) AS highest_2
FROM (
  SELECT
    class.class_size,
    name_1.leaves AS leaves_1,
    name_1.log_leaves AS log_leaves_1,
    name_1.log_rows AS log_rows_1,
    name_1.level AS level_1,
    name_2.leaves AS leaves_2,
    name_2.log_leaves AS log_leaves_2,
    name_2.log_rows AS log_rows_2,
    name_2.level AS level_2,
    CAST(class.class_size AS DOUBLE) * name_1.leaves * name_2.leaves AS combinations
  FROM (
    SELECT
      q1,
      q2,
      CAST(SUM(row_count) AS BIGINT) AS class_size
    FROM temp.main."sqlgen_shown_cell"
    GROUP BY q1, q2
  ) AS class
  JOIN (
      SELECT label, level, leaves, log_leaves, log_rows
      FROM temp.main."sqlgen_shown_label"
      WHERE number = 1
        AND level = 0
    ) AS name_1
    ON CAST(class.q1 AS VARCHAR) COLLATE C IS NOT DISTINCT FROM name_1.label
  JOIN (
      SELECT label, level, leaves, log_leaves, log_rows
      FROM temp.main."sqlgen_shown_label"
      WHERE number = 2
        AND level = 1
    ) AS name_2
    ON CAST(class.q2 AS VARCHAR) COLLATE C IS NOT DISTINCT FROM name_2.label
) AS named_class
