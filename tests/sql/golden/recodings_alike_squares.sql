WITH sized AS (
  SELECT
    s1, s2,
    CAST(SUM(row_count) AS BIGINT) AS group_rows,
    CAST(SUM(row_count) FILTER (WHERE kind = 1) AS HUGEINT) AS finite_rows,
    CAST(SUM(row_count * amount) AS HUGEINT) AS sum_1,
    CAST(SUM(row_count * amount * amount) AS HUGEINT) AS sum_2
  FROM (SELECT shown.*, amount.kind, amount.amount FROM temp.main."sqlgen_region_shown" AS shown JOIN (SELECT DISTINCT v1, kind, amount FROM temp.main."sqlgen_alike_cell") AS amount ON shown.v1 = amount.v1) AS cell
  GROUP BY s1, s2
)
SELECT
  COUNT(*) AS group_count,
  MIN(group_rows) AS least_rows,
  MAX(group_rows) AS most_rows,
  CAST(COALESCE(SUM(CAST(group_rows AS HUGEINT) * group_rows), 0) AS HUGEINT) AS size_squares,
  CAST(COALESCE(SUM(CAST(finite_rows * sum_2 - sum_1 * sum_1 AS DOUBLE) / finite_rows ORDER BY s1 ASC, s2 ASC), 0) AS DOUBLE) AS squares,
  COALESCE(CAST(SUM(finite_rows) * SUM(sum_2) - SUM(sum_1) * SUM(sum_1) AS DOUBLE) / CAST(SUM(finite_rows) AS DOUBLE), 0) AS total_squares
FROM sized
