WITH part AS (
  SELECT
    cell.region,
    CAST(SUM(cell.row_count) AS BIGINT) AS row_count,
    MIN(cell.level_2) AS level_2, MIN(CASE level_2 WHEN 0 THEN q2_0 WHEN 1 THEN q2_1 WHEN 2 THEN 0 WHEN 1000 THEN own_2 END) AS id_2
  FROM temp.main."sqlgen_region_0" AS cell
  GROUP BY cell.region
),
shown_region AS (
  SELECT DISTINCT region, s1, s2
  FROM temp.main."sqlgen_region_shown"
),
taken_part AS (
  SELECT
    part.row_count,
    taken_1.leaves AS leaves_1,
    taken_1.log_leaves AS log_leaves_1,
    taken_1.log_rows AS log_rows_1,
    taken_1.level AS level_1,
    label_2.leaves AS leaves_2,
    label_2.log_leaves AS log_leaves_2,
    label_2.log_rows AS log_rows_2,
    COALESCE(own_2.level, part.level_2) AS level_2,
    CAST(part.row_count AS DOUBLE) * taken_1.leaves * label_2.leaves AS combinations
  FROM part
  JOIN shown_region
    ON part.region = shown_region.region
  JOIN temp.main."sqlgen_region_class" AS class
    ON shown_region.s1 = class.key_1 AND shown_region.s2 = class.key_2 AND class.is_released
  JOIN temp.main."sqlgen_region_taken" AS taken_1
    ON taken_1.ladder = 1
    AND taken_1.shown = class.key_1
  JOIN temp.main."sqlgen_region_label" AS label_2
    ON label_2.ladder = 2
    AND label_2.level = part.level_2
    AND label_2.id = part.id_2
  LEFT JOIN temp.main."sqlgen_own_label" AS own_2
    ON own_2.quasi = 2
    AND own_2.id = part.id_2
    AND part.level_2 = 1000
)
SELECT
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  (SELECT COUNT(*) FROM temp.main."sqlgen_region_class" WHERE is_released) AS class_count,
  (SELECT CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * class_size), 0) AS HUGEINT) FROM temp.main."sqlgen_region_class" WHERE is_released) AS squares,
  (SELECT CAST(COALESCE(SUM(CAST(FLOOR(class_size * LN(class_size) * 1e12 + 0.5) AS HUGEINT)), 0) AS HUGEINT) FROM temp.main."sqlgen_region_class" WHERE is_released) AS logs,
  COALESCE(SUM(combinations ORDER BY combinations ASC), 0) AS combinations,
  CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * leaves_1), 0) AS HUGEINT) AS leaves_1,
  CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * log_leaves_1), 0) AS HUGEINT) AS log_leaves_1,
  CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * log_rows_1), 0) AS HUGEINT) AS log_rows_1,
  CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * level_1), 0) AS HUGEINT) AS level_sum_1,
  COALESCE(MAX(level_1), 0) AS highest_1,
  CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * leaves_2), 0) AS HUGEINT) AS leaves_2,
  CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * log_leaves_2), 0) AS HUGEINT) AS log_leaves_2,
  CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * log_rows_2), 0) AS HUGEINT) AS log_rows_2,
  CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * level_2), 0) AS HUGEINT) AS level_sum_2,
  COALESCE(MAX(level_2), 0) AS highest_2
FROM taken_part
