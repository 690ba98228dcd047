WITH change AS (
  SELECT q1, q2, s1, CAST(SUM(row_count) AS BIGINT) AS change
  FROM (
    SELECT q1, q2, s1, row_count
    FROM temp.main."sqlgen_joint_cell_3"
    UNION ALL
    SELECT q1, q2, s1, -row_count AS row_count
    FROM temp.main."sqlgen_joint_cell_2"
  ) AS counted
  GROUP BY ALL
  HAVING SUM(row_count) <> 0
),
class AS (
  SELECT
    q1,
    q2,
    COUNT(DISTINCT s1) FILTER (WHERE change > 0) AS came_s1,
    COUNT(DISTINCT s1) FILTER (WHERE change < 0) AS went_s1,
    COALESCE(SUM(change) FILTER (WHERE change > 0), 0) AS came,
    COALESCE(-SUM(change) FILTER (WHERE change < 0), 0) AS went
  FROM change
  GROUP BY q1, q2
),
shared AS (
  SELECT
    earlier.is_withheld OR later.is_withheld AS is_withheld,
    class.came_s1,
    class.went_s1,
    CASE WHEN earlier.is_withheld OR later.is_withheld THEN GREATEST(later.class_size - earlier.class_size, 0) ELSE class.came END AS came,
    CASE WHEN earlier.is_withheld OR later.is_withheld THEN GREATEST(earlier.class_size - later.class_size, 0) ELSE class.went END AS went
  FROM class
  JOIN temp.main."sqlgen_joint_class_2" AS earlier
    ON class.q1 = earlier.q1 AND class.q2 = earlier.q2
  JOIN temp.main."sqlgen_joint_class_3" AS later
    ON class.q1 = later.q1 AND class.q2 = later.q2
)
SELECT
  CAST(COALESCE(SUM(came), 0) AS BIGINT) AS rows_came,
  CAST(COALESCE(SUM(came) FILTER (WHERE came < 0), 0) AS BIGINT) AS exposed_came,
  CAST(COALESCE(SUM(went), 0) AS BIGINT) AS rows_went,
  CAST(COALESCE(SUM(went) FILTER (WHERE went < 0), 0) AS BIGINT) AS exposed_went
FROM shared
