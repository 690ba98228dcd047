counted AS MATERIALIZED (
  SELECT
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM valued_cell AS cell
  GROUP BY v1
),
class AS MATERIALIZED (
  SELECT
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  HAVING COUNT(*) > 0
),
class_0 AS (
  SELECT class_id, class_size
  FROM class
  WHERE NOT (FALSE)
),
class_cell_0 AS MATERIALIZED (
  SELECT
    class.class_id,
    class.class_size,
    counted.v1,
    counted.row_count
  FROM counted
  JOIN class
    ON TRUE
  WHERE NOT (FALSE)
)
