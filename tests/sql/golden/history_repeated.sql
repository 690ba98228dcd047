WITH before_cell AS (
  SELECT
    roll_q1.id_to AS q1,
    cell.q2 AS q2,
    cell.s1 AS s1,
    CAST(SUM(cell.row_count) AS BIGINT) AS row_count
  FROM one AS cell
  LEFT JOIN (
    SELECT DISTINCT id_at_0 AS id_from, id_at_1 AS id_to
    FROM value_q1
  ) AS roll_q1
    ON cell.q1 = roll_q1.id_from
  GROUP BY ALL
),
made_cell AS (
  SELECT
    q1,
    q2,
    s1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM two
  GROUP BY ALL
),
changed AS (
  SELECT
    q1,
    q2,
    s1,
    row_count,
    SUM(side) AS side
  FROM (
    SELECT *, 1 AS side
    FROM before_cell
    UNION ALL
    SELECT *, -1 AS side
    FROM made_cell
  ) AS cell
  GROUP BY ALL
  HAVING SUM(side) <> 0
),
shown AS (
  SELECT DISTINCT q1, q2
  FROM made_cell
)
SELECT COUNT(*) AS changed_count
FROM changed
JOIN shown
  ON changed.q1 = shown.q1 AND changed.q2 = shown.q2
