WITH shown AS MATERIALIZED (
  SELECT
    CAST("audited"."zip" AS VARCHAR) COLLATE C AS key_1,
    CAST("audited"."age" AS VARCHAR) COLLATE C AS key_2,
    "audited"."visits" AS value,
    COUNT(*) AS row_count
  FROM "memory"."main"."alike" AS audited
  GROUP BY key_1, key_2, value
),
shown_value AS (
  SELECT ROW_NUMBER() OVER () AS value_id, value
  FROM (SELECT DISTINCT value FROM shown) AS distinct_value
),
amount AS MATERIALIZED (
  SELECT
    value_id,
    value,
    kind,
    CAST(
      CASE
        WHEN kind <> 1 OR most = least THEN 0
        ELSE CASE WHEN most - least <= scale THEN whole - least ELSE CAST(FLOOR(CAST(whole - least AS DOUBLE) / CAST(most - least AS DOUBLE) * CAST(scale AS DOUBLE)) AS HUGEINT) END
      END AS HUGEINT
    ) AS amount
  FROM (
    SELECT
      *,
      MIN(whole) OVER () AS least,
      MAX(whole) OVER () AS most,
      (
        SELECT LEAST(CAST(1000000000000000 AS HUGEINT), CAST(10000000000000000000 AS HUGEINT) // GREATEST(SUM(row_count), 1))
        FROM shown
      ) AS scale
    FROM (
      SELECT value_id, value, kind, CASE WHEN kind = 1 THEN CAST(value AS HUGEINT) END AS whole
      FROM (
        SELECT value_id, value, CASE WHEN value IS NULL THEN 4 ELSE 1 END AS kind
        FROM shown_value
      ) AS sorted_value
    ) AS whole_value
  ) AS spanned_value
),
cell AS (
  SELECT shown.* EXCLUDE (value), amount.kind, amount.amount
  FROM shown
  JOIN amount
    ON shown.value IS NOT DISTINCT FROM amount.value
)
SELECT squares, total_squares
FROM (
  WITH sized AS (
    SELECT
      key_1, key_2,
      CAST(SUM(row_count) AS BIGINT) AS group_rows,
      CAST(SUM(row_count) FILTER (WHERE kind = 1) AS HUGEINT) AS finite_rows,
      CAST(SUM(row_count * amount) AS HUGEINT) AS sum_1,
      CAST(SUM(row_count * amount * amount) AS HUGEINT) AS sum_2
    FROM cell
    GROUP BY key_1, key_2
  )
  SELECT
    COUNT(*) AS group_count,
    MIN(group_rows) AS least_rows,
    MAX(group_rows) AS most_rows,
    CAST(COALESCE(SUM(CAST(group_rows AS HUGEINT) * group_rows), 0) AS HUGEINT) AS size_squares,
    CAST(COALESCE(SUM(CAST(finite_rows * sum_2 - sum_1 * sum_1 AS DOUBLE) / finite_rows ORDER BY key_1 ASC, key_2 ASC), 0) AS DOUBLE) AS squares,
    COALESCE(CAST(SUM(finite_rows) * SUM(sum_2) - SUM(sum_1) * SUM(sum_1) AS DOUBLE) / CAST(SUM(finite_rows) AS DOUBLE), 0) AS total_squares
  FROM sized
) AS summed
