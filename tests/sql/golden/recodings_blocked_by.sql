WITH
counted AS MATERIALIZED (
  SELECT
    region AS key_1,
    quasi AS key_2,
    level AS key_3,
    child AS key_4,
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM (
  SELECT *
  FROM (
    SELECT
      region,
      UNNEST([1, 2]) AS quasi,
      UNNEST([level_1 - 1, level_2 - 1]) AS level,
      UNNEST([CASE level_1 WHEN 1 THEN q1_0 WHEN 2 THEN q1_1 END, CASE level_2 WHEN 1 THEN q2_0 WHEN 2 THEN q2_1 END]) AS child,
      v1,
      row_count
    FROM temp.main."sqlgen_region"
  ) AS column_cell
  WHERE child IS NOT NULL
) AS cell
  GROUP BY region, quasi, level, child, v1
),
class AS MATERIALIZED (
  SELECT
    key_1,
    key_2,
    key_3,
    key_4,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY key_1, key_2, key_3, key_4
),
class_0 AS (
  SELECT class_id, class_size
  FROM class
  WHERE NOT (class_size < 3)
),
class_cell_0 AS MATERIALIZED (
  SELECT
    class.class_id,
    class.class_size,
    counted.v1,
    counted.row_count
  FROM counted
  JOIN class
    ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2 AND counted.key_3 IS NOT DISTINCT FROM class.key_3 AND counted.key_4 IS NOT DISTINCT FROM class.key_4
  WHERE NOT (class_size < 3)
)
SELECT class.key_2 AS quasi, COUNT(DISTINCT class.key_1) AS region_count
FROM class
LEFT JOIN (
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
      class_size AS figure_1,
      class_size < 3 AS fails_1,
      CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1
    FROM class_0 AS class
  ) AS judged
) AS verdict
  ON class.class_id = verdict.class_id
WHERE COALESCE(verdict.fails, TRUE)
GROUP BY class.key_2
