CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_alike_step" AS
WITH segment AS (
  SELECT
    stratum,
    kind,
    MIN(start_row) AS segment_start,
    SUM(row_count) AS segment_rows,
    GREATEST(1, SUM(row_count) // 120) AS blocks
  FROM temp.main."sqlgen_alike_cell"
  GROUP BY stratum, kind
),
placed AS MATERIALIZED (
  SELECT
    *,
    amount - LAG(amount) OVER (PARTITION BY stratum, kind ORDER BY place ASC) AS gap,
    (2 * (place - segment_start) * blocks + segment_rows) // (2 * segment_rows) AS border
  FROM (
    SELECT cell.stratum, cell.kind, cell.amount, cell.start_row + UNNEST(RANGE(cell.row_count)) AS place
    FROM temp.main."sqlgen_alike_cell" AS cell
  ) AS placed_row
  JOIN segment
    USING (stratum, kind)
),
border AS (
  SELECT place AS block
  FROM (
    SELECT place, ROW_NUMBER() OVER (PARTITION BY stratum, kind, border ORDER BY gap DESC, place ASC) AS preference
    FROM placed
    WHERE border BETWEEN 1 AND blocks - 1
      AND ABS(place - segment_start - border * segment_rows // blocks) <= 24
  ) AS near_border
  WHERE preference = 1
  UNION ALL
  SELECT segment_start
  FROM segment
),
blocked AS (
  SELECT
    placed.*,
    MAX(border.block) OVER (ORDER BY placed.place ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS block
  FROM placed
  LEFT JOIN border
    ON placed.place = border.block
),
summed AS (
  SELECT
    block,
    stratum,
    kind,
    block = segment_start AS is_first,
    MAX(place) OVER (PARTITION BY block) = segment_start + segment_rows - 1 AS is_last,
    place - block + 1 AS step,
    SUM(amount) OVER up_to AS sum_1,
    SUM(amount * amount) OVER up_to AS sum_2,
    COUNT(*) OVER (PARTITION BY block) AS block_rows
  FROM blocked
  WINDOW up_to AS (PARTITION BY block ORDER BY place ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
),
step AS (
  SELECT block, stratum, kind, is_first, is_last, step, sum_1, sum_2, block_rows
  FROM summed
  WHERE step % 1 = 0 OR step = block_rows
  UNION ALL
  SELECT DISTINCT block, stratum, kind, is_first, is_last, 0, 0, 0, block_rows
  FROM summed
)
SELECT
  block,
  ROW_NUMBER() OVER in_block - 1 AS number,
  COUNT(*) OVER (PARTITION BY block) - 1 AS last_number,
  step,
  stratum,
  kind,
  is_first,
  is_last,
  sum_1,
  sum_2,
  CASE
    WHEN step - LAG(step, 3) OVER in_block BETWEEN 3 AND 5
    THEN CAST(
      (step - LAG(step, 3) OVER in_block) * (sum_2 - LAG(sum_2, 3) OVER in_block)
      - (sum_1 - LAG(sum_1, 3) OVER in_block) * (sum_1 - LAG(sum_1, 3) OVER in_block) AS DOUBLE
    ) / CAST(step - LAG(step, 3) OVER in_block AS DOUBLE)
  END AS piece_3,
  CASE
    WHEN step - LAG(step, 4) OVER in_block BETWEEN 3 AND 5
    THEN CAST(
      (step - LAG(step, 4) OVER in_block) * (sum_2 - LAG(sum_2, 4) OVER in_block)
      - (sum_1 - LAG(sum_1, 4) OVER in_block) * (sum_1 - LAG(sum_1, 4) OVER in_block) AS DOUBLE
    ) / CAST(step - LAG(step, 4) OVER in_block AS DOUBLE)
  END AS piece_4,
  CASE
    WHEN step - LAG(step, 5) OVER in_block BETWEEN 3 AND 5
    THEN CAST(
      (step - LAG(step, 5) OVER in_block) * (sum_2 - LAG(sum_2, 5) OVER in_block)
      - (sum_1 - LAG(sum_1, 5) OVER in_block) * (sum_1 - LAG(sum_1, 5) OVER in_block) AS DOUBLE
    ) / CAST(step - LAG(step, 5) OVER in_block AS DOUBLE)
  END AS piece_5
FROM step
WINDOW in_block AS (PARTITION BY block ORDER BY step ASC)
