WITH sized AS (
  SELECT
    region,
    CAST(SUM(row_count) AS BIGINT) AS group_rows,
    CAST(SUM(row_count) FILTER (WHERE kind = 1) AS HUGEINT) AS finite_rows,
    CAST(SUM(row_count * amount) AS HUGEINT) AS sum_1,
    CAST(SUM(row_count * amount * amount) AS HUGEINT) AS sum_2
  FROM (SELECT part.*, groups.region FROM temp.main."sqlgen_group_part" AS part JOIN (SELECT part, region FROM temp.main."sqlgen_alike_group_2") AS groups ON part.part = groups.part)
  GROUP BY region
)
SELECT
  COUNT(*) AS group_count,
  MIN(group_rows) AS least_rows,
  MAX(group_rows) AS most_rows,
  CAST(COALESCE(SUM(CAST(finite_rows * sum_2 - sum_1 * sum_1 AS DOUBLE) / finite_rows ORDER BY region ASC), 0) AS DOUBLE) AS squares,
  COALESCE(CAST(SUM(finite_rows) * SUM(sum_2) - SUM(sum_1) * SUM(sum_1) AS DOUBLE) / CAST(SUM(finite_rows) AS DOUBLE), 0) AS total_squares
FROM sized
