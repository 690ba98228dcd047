CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_alike_best" AS
WITH RECURSIVE best AS (
  SELECT
    block,
    number,
    last_number,
    0 AS back,
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
    CASE
      WHEN cost = cost_3 + piece_3 THEN 3
      WHEN cost = cost_4 + piece_4 THEN 4
      WHEN cost = cost_5 + piece_5 THEN 5
    END AS back,
    cost AS cost_1,
    cost_1 AS cost_2,
    cost_2 AS cost_3,
    cost_3 AS cost_4,
    cost_4 AS cost_5
  FROM (
    SELECT
      best.block,
      best.number + 1 AS number,
      best.last_number,
      best.cost_1,
      best.cost_2,
      best.cost_3,
      best.cost_4,
      best.cost_5,
      step.piece_3,
      step.piece_4,
      step.piece_5,
      LEAST(best.cost_3 + step.piece_3, best.cost_4 + step.piece_4, best.cost_5 + step.piece_5) AS cost
    FROM best
    LEFT JOIN temp.main."sqlgen_alike_step" AS step
      ON best.block = step.block AND best.number + 1 = step.number
    WHERE best.number < best.last_number
  ) AS reached
)
SELECT block, number, back
FROM best
