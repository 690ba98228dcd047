CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_alike_group_1" AS
WITH whole AS (
  SELECT
    region,
    MIN(first_row) AS first_row,
    MIN(stratum) AS stratum,
    MIN(kind) AS least_kind,
    MAX(kind) AS most_kind,
    CAST(SUM(finite_rows) AS HUGEINT) AS finite_rows,
    CAST(SUM(sum_1) AS HUGEINT) AS sum_1
  FROM temp.main."sqlgen_alike_group_0"
  GROUP BY region
),
numbered AS (
  SELECT *, ROW_NUMBER() OVER (ORDER BY first_row ASC) AS number
  FROM whole
),
beside AS (
  SELECT
    number,
    region,
    MIN(number) OVER (PARTITION BY stratum) AS first_number,
    MAX(number) OVER (PARTITION BY stratum) AS last_number,
    CASE
      WHEN finite_rows > 0 AND LAG(finite_rows) OVER in_order > 0 THEN
        CAST(LAG(finite_rows) OVER in_order * sum_1 - finite_rows * LAG(sum_1) OVER in_order AS DOUBLE)
        * CAST(LAG(finite_rows) OVER in_order * sum_1 - finite_rows * LAG(sum_1) OVER in_order AS DOUBLE)
        / CAST(finite_rows * LAG(finite_rows) OVER in_order * (finite_rows + LAG(finite_rows) OVER in_order) AS DOUBLE)
      ELSE 0
    END AS before_squares,
    CASE
      WHEN finite_rows > 0 AND LEAD(finite_rows) OVER in_order > 0 THEN
        CAST(LEAD(finite_rows) OVER in_order * sum_1 - finite_rows * LEAD(sum_1) OVER in_order AS DOUBLE)
        * CAST(LEAD(finite_rows) OVER in_order * sum_1 - finite_rows * LEAD(sum_1) OVER in_order AS DOUBLE)
        / CAST(finite_rows * LEAD(finite_rows) OVER in_order * (finite_rows + LEAD(finite_rows) OVER in_order) AS DOUBLE)
      ELSE 0
    END AS after_squares,
    least_kind - LAG(most_kind) OVER in_order AS before_kinds,
    LEAD(least_kind) OVER in_order - most_kind AS after_kinds
  FROM numbered
  WINDOW in_order AS (PARTITION BY stratum ORDER BY number ASC)
),
reach AS (
  SELECT
    CASE WHEN is_before THEN GREATEST(number - 1, first_number) ELSE number END AS lower,
    CASE WHEN is_before THEN number ELSE LEAST(number + 1, last_number) END AS upper
  FROM (
    SELECT
      beside.*,
      CASE
        WHEN before_kinds IS NULL THEN FALSE
        WHEN after_kinds IS NULL THEN TRUE
        WHEN before_kinds <> after_kinds THEN before_kinds < after_kinds
        ELSE before_squares <= after_squares
      END AS is_before
    FROM beside
    JOIN temp.main."sqlgen_alike_judged_0" AS judged
      ON beside.region = judged.region
    WHERE judged.fails
  ) AS failing
),
border AS (
  SELECT number, SUM(reaching) AS reaching
  FROM (
    SELECT lower AS number, 1 AS reaching
    FROM reach
    UNION ALL
    SELECT upper, -1
    FROM reach
    UNION ALL
    SELECT number, 0
    FROM numbered
  ) AS ending
  GROUP BY number
),
opened AS (
  SELECT
    number,
    SUM(reaching) OVER (ORDER BY number ASC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS open_before
  FROM border
),
begun AS (
  SELECT
    number,
    CAST(
      SUM(CASE WHEN open_before > 0 THEN 0 ELSE 1 END) OVER (
        ORDER BY number ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS BIGINT
    ) AS merged
  FROM opened
)
SELECT groups.* REPLACE (begun.merged AS region)
FROM temp.main."sqlgen_alike_group_0" AS groups
JOIN numbered
  ON groups.region = numbered.region
JOIN begun
  ON numbered.number = begun.number
