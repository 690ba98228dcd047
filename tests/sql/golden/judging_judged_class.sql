class AS MATERIALIZED (
  SELECT
    "q1_0" AS key_1,
    "q2_1" AS key_2,
    CAST(SUM(s_0) AS BIGINT) AS s_0,
    CAST(SUM(s_1) AS BIGINT) AS s_1,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM temp.main."sqlgen_wide_cell"
  GROUP BY "q1_0", "q2_1"
),
class_0 AS (
  SELECT *
  FROM class
  WHERE NOT (class_size < 3)
),
reference_0 AS MATERIALIZED (
  SELECT
    *,
    [r_0, r_1] AS cuts_2
  FROM (
    SELECT
      CAST(SUM(s_0) AS BIGINT) AS r_0,
      CAST(SUM(s_1) AS BIGINT) AS r_1,
      CAST(SUM(class_size) AS BIGINT) AS r_rows
    FROM class_0
  ) AS released_sums
),
worked_0 AS MATERIALIZED (
  SELECT
    class_id,
    class_size,
    r_rows,
    LIST_SUM(LIST_TRANSFORM([s_0, s_1], LAMBDA x, i: ABS(r_rows * x - class_size * cuts_2[i]))) AS work_2,
    CAST(2 AS HUGEINT) * class_size * r_rows AS unit_2,
    LIST_SUM(LIST_TRANSFORM([s_0, s_1], LAMBDA x, i: CASE WHEN r_rows * x > class_size * cuts_2[i] THEN cuts_2[i] ELSE 0 END)) AS reach_2,
    1 AS scale_2
  FROM class_0
  CROSS JOIN reference_0
),
judged_0 AS MATERIALIZED (
  SELECT * REPLACE (COALESCE(fails_1, TRUE) OR NOT COALESCE(figure_1 >= CAST(2.999999699 AS DOUBLE) AND figure_1 <= 1.7976931348623157e308, FALSE) AS fails_1, COALESCE(fails_2, TRUE) OR NOT COALESCE(figure_2 >= CAST(-0.000000001 AS DOUBLE) AND figure_2 <= CAST(0.500000051 AS DOUBLE), FALSE) AS fails_2)
  FROM (
    SELECT
      class_id,
      class_size,
      class_size < 3 AS fails_1,
      class_size AS figure_1,
      work_2 * 2 > unit_2 * 1 AS fails_2,
      work_2 / unit_2 AS figure_2,
      class_size * (work_2 / unit_2 + reach_2 / (scale_2 * r_rows) - (0.5 + reach_2 / (scale_2 * 40))) / CASE WHEN 0.5 + reach_2 / (scale_2 * 40) < 0.999 THEN 1 - (0.5 + reach_2 / (scale_2 * 40)) END AS need_2
    FROM worked_0
  ) AS judged
),
verdict_0 AS (
  SELECT
    *,
    fails_1 OR fails_2 AS fails,
    LEAST(class_size, GREATEST(
      0,
      CASE WHEN class_size < 3 THEN class_size ELSE 0 END,
      CASE
        WHEN NOT fails_2 THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(need_2, 0) - 1e-6 - 1e-12 * class_size))
      END
    )) AS repair
  FROM judged_0
),
node_class AS (
  SELECT
    class.*,
    COALESCE(NOT verdict.fails, FALSE) AS is_released
  FROM class
  LEFT JOIN (
    SELECT * FROM verdict_0
  ) AS verdict
    ON class.class_id = verdict.class_id
)
