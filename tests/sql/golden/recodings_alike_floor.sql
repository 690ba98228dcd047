WITH RECURSIVE best AS (
  SELECT
    block,
    number,
    last_number,
    step,
    sum_1,
    sum_2,
    is_first,
    CAST(0 AS DOUBLE) AS cost_1,
    CAST(NULL AS DOUBLE) AS cost_2,
    CAST(NULL AS DOUBLE) AS cost_3,
    CAST(NULL AS DOUBLE) AS cost_4,
    CAST(NULL AS DOUBLE) AS cost_5
  FROM temp.main."sqlgen_alike_step"
  WHERE number = 0
  UNION ALL
  SELECT
    block,
    number,
    last_number,
    step,
    sum_1,
    sum_2,
    is_first,
    LEAST(cost_3 + piece_3, cost_4 + piece_4, cost_5 + piece_5, CASE WHEN NOT is_first THEN CASE WHEN step <= 5 THEN CAST((step) * (sum_2) - (sum_1) * (sum_1) AS DOUBLE) / CAST(step AS DOUBLE) END END) AS cost_1,
    cost_1 AS cost_2,
    cost_2 AS cost_3,
    cost_3 AS cost_4,
    cost_4 AS cost_5
  FROM (
    SELECT
      best.block,
      best.number + 1 AS number,
      best.last_number,
      best.is_first,
      step.step,
      step.sum_1,
      step.sum_2,
      best.cost_1,
      best.cost_2,
      best.cost_3,
      best.cost_4,
      best.cost_5,
      step.piece_3,
      step.piece_4,
      step.piece_5
    FROM best
    LEFT JOIN temp.main."sqlgen_alike_step" AS step
      ON best.block = step.block AND best.number + 1 = step.number
    WHERE best.number < best.last_number
  ) AS reached
),
whole AS (
  SELECT block, sum_1 AS all_1, sum_2 AS all_2, step AS all_rows, is_last
  FROM temp.main."sqlgen_alike_step"
  WHERE number = last_number
),
ended AS (
  SELECT
    best.block,
    MIN(best.cost_1 + CASE WHEN all_rows = step THEN 0 ELSE CASE WHEN (all_rows - step) <= 5 THEN CAST(((all_rows - step)) * (all_2 - sum_2) - (all_1 - sum_1) * (all_1 - sum_1) AS DOUBLE) / CAST((all_rows - step) AS DOUBLE) END END) AS squares
  FROM best
  JOIN whole
    ON best.block = whole.block
  WHERE whole.all_rows = best.step OR (whole.all_rows - best.step <= 5 AND NOT whole.is_last)
  GROUP BY best.block
)
SELECT CAST(COALESCE(SUM(squares ORDER BY block ASC), 0) AS DOUBLE) AS squares
FROM ended
