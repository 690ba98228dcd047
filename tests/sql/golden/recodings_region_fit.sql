CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_0" AS
WITH combination AS MATERIALIZED (
  SELECT *, ROW_NUMBER() OVER () AS combination
  FROM (SELECT DISTINCT q1_0, q1_1, q2_0, q2_1 FROM temp.main."sqlgen_region_cell") AS distinct_values
),
path AS MATERIALIZED (
  SELECT
    *,
    0 AS start_0,
    DENSE_RANK() OVER (ORDER BY level_1 ASC, id_1 ASC) AS start_1,
    DENSE_RANK() OVER (ORDER BY level_1 ASC, id_1 ASC, level_2 ASC, id_2 ASC) AS start_2
  FROM temp.main."sqlgen_region_kept"
  WHERE is_shown
),
fit_0 AS (
  SELECT combination, 0 AS start
  FROM combination
),
step_1 AS (
  SELECT DISTINCT start_0 AS above, start_1 AS start, level_1 AS level, id_1 AS id
  FROM path
),
fit_1 AS MATERIALIZED (
  SELECT label.combination, step_1.start
  FROM (
    SELECT
      fit_0.combination,
      fit_0.start,
      UNNEST([0, 1, 2]) AS level,
      UNNEST([combination.q1_0, combination.q1_1, CAST(0 AS UINTEGER)]) AS id
    FROM fit_0
    JOIN combination
      ON fit_0.combination = combination.combination
  ) AS label
  JOIN step_1
    ON label.start = step_1.above
    AND label.level = step_1.level
    AND label.id = step_1.id
),
step_2 AS (
  SELECT DISTINCT start_1 AS above, start_2 AS start, level_2 AS level, id_2 AS id
  FROM path
),
fit_2 AS MATERIALIZED (
  SELECT label.combination, step_2.start
  FROM (
    SELECT
      fit_1.combination,
      fit_1.start,
      UNNEST([0, 1, 2]) AS level,
      UNNEST([combination.q2_0, combination.q2_1, CAST(0 AS UINTEGER)]) AS id
    FROM fit_1
    JOIN combination
      ON fit_1.combination = combination.combination
  ) AS label
  JOIN step_2
    ON label.start = step_2.above
    AND label.level = step_2.level
    AND label.id = step_2.id
),
fit AS (
  SELECT last_fit.combination, MIN(path.number) AS region
  FROM fit_2 AS last_fit
  JOIN path
    ON last_fit.start = path.start_2
  GROUP BY last_fit.combination
)
SELECT
  cell.q1_0,
  cell.q1_1,
  cell.q2_0,
  cell.q2_1,
  cell.v1,
  cell.row_count,
  fit.region,
  fit.region AS place,
  kept.level_1,
  kept.level_2
FROM temp.main."sqlgen_region_cell" AS cell
JOIN combination
  ON cell.q1_0 = combination.q1_0 AND cell.q2_0 = combination.q2_0
JOIN fit
  ON combination.combination = fit.combination
JOIN (SELECT DISTINCT number, level_1, level_2 FROM temp.main."sqlgen_region_kept") AS kept
  ON fit.region = kept.number
