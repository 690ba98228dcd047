CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_alike_group_0" AS
WITH RECURSIVE path AS (
  SELECT block, number, last_number
  FROM temp.main."sqlgen_alike_step"
  WHERE number = last_number
  UNION ALL
  SELECT path.block, path.number - COALESCE(best.back, path.number) AS number, path.last_number
  FROM path
  LEFT JOIN temp.main."sqlgen_alike_best" AS best
    ON path.block = best.block AND path.number = best.number
  WHERE path.number > 0
),
cut AS (
  SELECT
    step.*,
    LEAD(step.step) OVER in_block AS next_step,
    LEAD(step.sum_1) OVER in_block AS next_sum_1,
    LEAD(step.sum_2) OVER in_block AS next_sum_2
  FROM path
  JOIN temp.main."sqlgen_alike_step" AS step
    ON path.block = step.block AND path.number = step.number
  WINDOW in_block AS (PARTITION BY step.block ORDER BY step.number ASC)
),
found AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY block ASC, step ASC) AS region,
    block + step AS first_row,
    next_step - step AS row_count,
    stratum,
    kind,
    CASE WHEN kind = 1 THEN next_step - step ELSE 0 END AS finite_rows,
    next_sum_1 - sum_1 AS sum_1,
    next_sum_2 - sum_2 AS sum_2
  FROM cut
  WHERE next_step IS NOT NULL
)
SELECT region, region AS part, first_row, row_count, stratum, kind, finite_rows, CAST(sum_1 AS HUGEINT) AS sum_1, CAST(sum_2 AS HUGEINT) AS sum_2
FROM found
