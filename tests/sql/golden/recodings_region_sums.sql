SELECT
  CAST(COALESCE(SUM(class_size), 0) AS BIGINT) AS row_count,
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * class_size), 0) AS HUGEINT) AS squares,
  CAST(COALESCE(SUM(CAST(FLOOR(class_size * LN(class_size) * 1e12 + 0.5) AS HUGEINT)), 0) AS HUGEINT) AS logs,
  COALESCE(SUM(combinations ORDER BY combinations ASC), 0) AS combinations,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * leaves_1), 0) AS HUGEINT) AS leaves_1,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * log_leaves_1), 0) AS HUGEINT) AS log_leaves_1,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * log_rows_1), 0) AS HUGEINT) AS log_rows_1,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * level_1), 0) AS HUGEINT) AS level_sum_1,
  COALESCE(MAX(level_1), 0) AS highest_1,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * leaves_2), 0) AS HUGEINT) AS leaves_2,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * log_leaves_2), 0) AS HUGEINT) AS log_leaves_2,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * log_rows_2), 0) AS HUGEINT) AS log_rows_2,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * level_2), 0) AS HUGEINT) AS level_sum_2,
  COALESCE(MAX(level_2), 0) AS highest_2
FROM (
  SELECT
    class.class_size,
    taken_1.leaves AS leaves_1,
    taken_1.log_leaves AS log_leaves_1,
    taken_1.log_rows AS log_rows_1,
    taken_1.level AS level_1,
    taken_2.leaves AS leaves_2,
    taken_2.log_leaves AS log_leaves_2,
    taken_2.log_rows AS log_rows_2,
    taken_2.level AS level_2,
    CAST(class.class_size AS DOUBLE) * taken_1.leaves * taken_2.leaves AS combinations
  FROM temp.main."sqlgen_region_class" AS class
  JOIN temp.main."sqlgen_region_taken" AS taken_1
    ON taken_1.ladder = 1
    AND taken_1.shown = class.key_1
  JOIN temp.main."sqlgen_region_taken" AS taken_2
    ON taken_2.ladder = 2
    AND taken_2.shown = class.key_2
  WHERE class.is_released
) AS taken_class
