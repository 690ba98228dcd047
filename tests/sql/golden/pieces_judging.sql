-- judging/block_histogram
block_1 AS MATERIALIZED (
  SELECT
    class_id,
    ROW_NUMBER() OVER () AS block_id,
    CAST(SUM(row_count) AS BIGINT) AS block_size
  FROM class_cell_0
  GROUP BY class_id
),
histogram_1 AS MATERIALIZED (
  SELECT
    block.block_id AS class_id,
    block.block_size AS class_size,
    cell.v1 AS value_id,
    CAST(SUM(cell.row_count) AS BIGINT) AS value_count
  FROM class_cell_0 AS cell
  JOIN block_1 AS block
    ON cell.class_id = block.class_id
  GROUP BY block.block_id, block.block_size, cell.v1
)

-- judging/blocks
SELECT
  block.class_id,
  BOOL_OR(COALESCE(verdict.fails, TRUE) OR NOT COALESCE(verdict.figure >= CAST(0.999999899 AS DOUBLE) AND verdict.figure <= 1.7976931348623157e308, FALSE)) AS fails,
  MIN(verdict.figure) AS figure,
  SUM(CASE WHEN verdict.fails THEN LEAST(GREATEST(verdict.repair, 0), block.block_size) ELSE 0 END) AS repair
FROM (
  SELECT
    class_id,
    COUNT(*) < 1 AS fails,
    COUNT(*) AS figure,
    class_size AS repair
  FROM histogram_1
  GROUP BY class_id, class_size
) AS verdict
JOIN block_1 AS block
  ON verdict.class_id = block.block_id
GROUP BY block.class_id

-- judging/breaks
COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_1.figure <= 1.7976931348623157e308, FALSE)

-- judging/classes
counted AS MATERIALIZED (
  SELECT
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM valued_cell AS cell
  GROUP BY v1
),
class AS MATERIALIZED (
  SELECT
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  HAVING COUNT(*) > 0
),
class_0 AS (
  SELECT class_id, class_size
  FROM class
  WHERE NOT (FALSE)
),
class_cell_0 AS MATERIALIZED (
  SELECT
    class.class_id,
    class.class_size,
    counted.v1,
    counted.row_count
  FROM counted
  JOIN class
    ON TRUE
  WHERE NOT (FALSE)
)

-- judging/counts/closeness
work_2 * 2 > unit_2 * 1 AS fails_2,
work_2 / unit_2 AS figure_2,
class_size * (work_2 / unit_2 + reach_2 / (scale_2 * r_rows) - (0.5 + reach_2 / (scale_2 * 28))) / CASE WHEN 0.5 + reach_2 / (scale_2 * 28) < 0.999 THEN 1 - (0.5 + reach_2 / (scale_2 * 28)) END AS need_2

-- judging/counts/distinct_verdict
values_4 < 1 AS fails_4,
values_4 AS figure_4,
class_size AS need_4

-- judging/counts/entropy_verdict
class_size * entropy_5 < class_size * LN(1) * (1 - 1e-9) AS fails_5,
EXP(entropy_5) AS figure_5,
CAST(0 AS DOUBLE) AS need_5

-- judging/counts/ordered_work.duckdb
LIST_SUM(LIST_TRANSFORM([s_0, s_1], LAMBDA x, i: ABS(r_rows * x - class_size * cuts_2[i]) * occurs_2[i])) AS work_2,
GREATEST(CAST(LIST_SUM(occurs_2) - 1 AS HUGEINT) * class_size * r_rows, 1) AS unit_2,
LIST_SUM(LIST_TRANSFORM([s_0, s_1], LAMBDA x, i: CASE WHEN r_rows * x > class_size * cuts_2[i] THEN cuts_2[i] ELSE r_rows - cuts_2[i] END * occurs_2[i])) AS reach_2,
GREATEST(LIST_SUM(occurs_2) - 1, 1) AS scale_2

-- judging/counts/reference.duckdb
[r_0, r_1] AS cuts_2

-- judging/counts/work.duckdb
LIST_SUM(LIST_TRANSFORM([s_0, s_1], LAMBDA x, i: ABS(r_rows * x - class_size * cuts_2[i]))) AS work_2,
CAST(2 AS HUGEINT) * class_size * r_rows AS unit_2,
LIST_SUM(LIST_TRANSFORM([s_0, s_1], LAMBDA x, i: CASE WHEN r_rows * x > class_size * cuts_2[i] THEN cuts_2[i] ELSE 0 END)) AS reach_2,
1 AS scale_2

-- judging/every_class
SELECT *, UNNEST(RANGE(group_count)) AS twin
FROM (
  WITH
    histogram_1 AS (
      SELECT
        class_id,
        class_size,
        v1 AS value_id,
        row_count AS value_count
      FROM class_cell_0
    ),
    sized_1 AS (
      SELECT class_id, class_size
      FROM class_0
    ),
    reference_1 AS MATERIALIZED (
      SELECT
        v1 AS value_id,
        CAST(SUM(row_count * group_count) AS BIGINT) AS reference_count
      FROM class_cell_0
      GROUP BY v1
    ),
    total_1 AS MATERIALIZED (
      SELECT
        CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
        COUNT(*) AS reference_values,
        0 AS vanishing_values,
        0 AS reference_drift,
        COUNT(*) AS lasting_values
      FROM reference_1
    ),
    compared_1 AS MATERIALIZED (
      SELECT
        histogram.*,
        COALESCE(reference.reference_count, 0) AS reference_count,
        total.reference_rows,
        total.reference_values,
        total.vanishing_values,
        total.reference_drift,
        total.lasting_values
      FROM histogram_1 AS histogram
      LEFT JOIN reference_1 AS reference
        ON histogram.value_id = reference.value_id
      CROSS JOIN total_1 AS total
    )
  SELECT
    class_id,
    class_size,
    group_count,
    fails_1 AS fails,
    LEAST(class_size, GREATEST(0, repair_1)) AS repair,
    figure_1,
    fails_1
  FROM (
    SELECT
      class.class_id,
      class.class_size,
      class.group_count,
      verdict_1.figure AS figure_1,
      CASE WHEN verdict_1.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_1.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_1,
      CASE
        WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_1
    FROM class_0 AS class
    LEFT JOIN (
      SELECT
        class_id,
        work * 2 > unit * 1 AS fails,
        work / unit AS figure,
        class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
      FROM (
        SELECT
          class_id,
          class_size,
          work,
          unit,
          reference_drift / reference_rows AS drift
        FROM (
          SELECT
            class_id,
            class_size,
            reference_rows,
            reference_values,
            reference_drift,
            vanishing_values,
            SUM(ABS(CAST(reference_rows AS HUGEINT) * value_count - CAST(class_size AS HUGEINT) * reference_count))
              + CAST(class_size AS HUGEINT) * (reference_rows - CAST(SUM(reference_count) AS BIGINT)) AS work,
            CAST(2 AS HUGEINT) * class_size * reference_rows AS unit
          FROM compared_1
          GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
        ) AS class_work
      ) AS class_distance
    ) AS verdict_1
      ON class.class_id = verdict_1.class_id
  ) AS judged
) AS verdict

-- judging/fixed
SELECT
  value_1.id_0 AS value_id,
  CAST(SUM(1) AS BIGINT) AS reference_count
FROM "memory"."main"."patients" AS referred
JOIN temp.main."sqlgen_ladder_3" AS value_1
  ON CAST(CAST("referred"."disease" AS VARCHAR) COLLATE C AS VARCHAR) IS NOT DISTINCT FROM value_1.value
GROUP BY value_1.id_0
HAVING SUM(1) > 0

-- judging/histogram
histogram_1 AS (
  SELECT
    class_id,
    class_size,
    v1 AS value_id,
    row_count AS value_count
  FROM class_cell_0
),
sized_1 AS (
  SELECT class_id, class_size
  FROM class_0
)

-- judging/judged_class
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

-- judging/people
people_1 AS MATERIALIZED (
  SELECT
    class.class_id,
    matched.person_id,
    matched.person_count
  FROM (
    SELECT
      q1_0 AS key_1,
      q2_1 AS key_2,
      person_id,
      person_count
    FROM temp.main."sqlgen_people_1"
    WHERE is_kept
  ) AS matched
  JOIN class
    ON class.key_1 IS NOT DISTINCT FROM matched.key_1 AND class.key_2 IS NOT DISTINCT FROM matched.key_2
)

-- judging/reference
reference_1 AS MATERIALIZED (
  SELECT
    v1 AS value_id,
    CAST(SUM(row_count) AS BIGINT) AS reference_count
  FROM class_cell_0
  GROUP BY v1
),
total_1 AS MATERIALIZED (
  SELECT
    CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
    COUNT(*) AS reference_values,
    0 AS vanishing_values,
    0 AS reference_drift,
    COUNT(*) AS lasting_values
  FROM reference_1
),
compared_1 AS MATERIALIZED (
  SELECT
    histogram.*,
    COALESCE(reference.reference_count, 0) AS reference_count,
    total.reference_rows,
    total.reference_values,
    total.vanishing_values,
    total.reference_drift,
    total.lasting_values
  FROM histogram_1 AS histogram
  LEFT JOIN reference_1 AS reference
    ON histogram.value_id = reference.value_id
  CROSS JOIN total_1 AS total
)

-- judging/repair
CASE
  WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
  ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
END

-- judging/round
class_1 AS MATERIALIZED (
  SELECT class_id, class_size
  FROM (
    WITH
      histogram_1 AS (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          row_count AS value_count
        FROM class_cell_0
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_0
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM class_cell_0
        GROUP BY v1
      ),
      total_1 AS MATERIALIZED (
        SELECT
          CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
          COUNT(*) AS reference_values,
          0 AS vanishing_values,
          0 AS reference_drift,
          COUNT(*) AS lasting_values
        FROM reference_1
      ),
      compared_1 AS MATERIALIZED (
        SELECT
          histogram.*,
          COALESCE(reference.reference_count, 0) AS reference_count,
          total.reference_rows,
          total.reference_values,
          total.vanishing_values,
          total.reference_drift,
          total.lasting_values
        FROM histogram_1 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_1 AS total
      )
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 AS fails,
      LEAST(class_size, GREATEST(0, repair_1, repair_2)) AS repair,
      figure_1,
      fails_1,
      figure_2,
      fails_2
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            work,
            unit,
            reference_drift / reference_rows AS drift
          FROM (
            SELECT
              class_id,
              class_size,
              reference_rows,
              reference_values,
              reference_drift,
              vanishing_values,
              SUM(ABS(CAST(reference_rows AS HUGEINT) * value_count - CAST(class_size AS HUGEINT) * reference_count))
                + CAST(class_size AS HUGEINT) * (reference_rows - CAST(SUM(reference_count) AS BIGINT)) AS work,
              CAST(2 AS HUGEINT) * class_size * reference_rows AS unit
            FROM compared_1
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
    ) AS judged
  ) AS verdict
  WHERE NOT fails
),
class_cell_1 AS MATERIALIZED (
  SELECT
    class.*,
    cell.v1,
    cell.row_count
  FROM class_cell_0 AS cell
  JOIN class_1 AS class
    ON cell.class_id = class.class_id
)

-- judging/showing
(
  SELECT *
  FROM "memory"."main"."matched" AS audited
  QUALIFY NOT BOOL_AND(CAST("audited"."disease" AS VARCHAR) COLLATE C IS NULL) OVER (PARTITION BY CAST("audited"."zip" AS VARCHAR) COLLATE C, CAST("audited"."age" AS VARCHAR) COLLATE C)
)

-- judging/sized_class
node_class AS (
  SELECT
    CAST((word_1 >> 0) & 3 AS UTINYINT) AS key_1,
    CAST((word_1 >> 6) & 1 AS UTINYINT) AS key_2,
    class_size,
    NOT (class_size < 3) AS is_released
  FROM (
    SELECT
      word_1 & 67 AS word_1,
      CAST(SUM(row_count) AS BIGINT) AS class_size
    FROM temp.main."sqlgen_cell"
    GROUP BY word_1 & 67
  ) AS class_size
)

-- judging/total_moving
SELECT
  CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
  COUNT(*) AS reference_values,
  COUNT(*) FILTER (WHERE rarest_rows <= 12) AS vanishing_values,
  12 AS reference_drift,
  COUNT(*) FILTER (WHERE reference_count > 12) AS lasting_values
FROM (
  SELECT
    reference_count,
    SUM(reference_count) OVER (ORDER BY reference_count ASC ROWS UNBOUNDED PRECEDING) AS rarest_rows
  FROM reference_2
) AS rarest

-- judging/total_settled
SELECT
  CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
  COUNT(*) AS reference_values,
  0 AS vanishing_values,
  0 AS reference_drift,
  COUNT(*) AS lasting_values
FROM reference_1

-- judging/total_uniform
SELECT
  CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
  COUNT(*) AS reference_values,
  COUNT(*) FILTER (WHERE rarest_rows <= 12) AS vanishing_values,
  COUNT(*) FILTER (WHERE rarest_rows <= 12) AS reference_drift,
  COUNT(*) FILTER (WHERE smallest_rows > 12) AS lasting_values
FROM (
  SELECT
    reference_count,
    MIN(row_count) OVER () AS smallest_rows,
    SUM(row_count) OVER (ORDER BY row_count ASC ROWS UNBOUNDED PRECEDING) AS rarest_rows
  FROM (SELECT 1 AS reference_count, SUM(row_count) AS row_count FROM class_cell_0 GROUP BY v1) AS value_rows
) AS rarest

-- judging/valued
value_1 AS MATERIALIZED (
  WITH labelled AS (
    SELECT
      *,
      CASE
        WHEN value IS NULL THEN NULL
      END AS missing_level
    FROM (
      SELECT
        value,
        row_count
      FROM (
        SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
        FROM (SELECT s1 AS "disease" FROM cell) AS source
        GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
      ) AS value_count
    ) AS labels
  ),
  leaf AS (
    SELECT
      value,
      row_count,
      missing_level,
      TRUE AS is_kept,
      value AS final_0
    FROM labelled
  )
  SELECT
    value,
    row_count,
    missing_level,
    is_kept,
    CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0
  FROM leaf
),
valued_cell AS (
  SELECT
    cell.*,
    value_1.id_0 AS v1
  FROM cell AS cell
  JOIN value_1
    ON cell.s1 IS NOT DISTINCT FROM value_1.value
)

-- judging/verdict
WITH
  histogram_1 AS (
    SELECT
      class_id,
      class_size,
      v1 AS value_id,
      row_count AS value_count
    FROM class_cell_0
  ),
  sized_1 AS (
    SELECT class_id, class_size
    FROM class_0
  ),
  reference_1 AS MATERIALIZED (
    SELECT
      v1 AS value_id,
      CAST(SUM(row_count) AS BIGINT) AS reference_count
    FROM class_cell_0
    GROUP BY v1
  ),
  total_1 AS MATERIALIZED (
    SELECT
      CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
      COUNT(*) AS reference_values,
      0 AS vanishing_values,
      0 AS reference_drift,
      COUNT(*) AS lasting_values
    FROM reference_1
  ),
  compared_1 AS MATERIALIZED (
    SELECT
      histogram.*,
      COALESCE(reference.reference_count, 0) AS reference_count,
      total.reference_rows,
      total.reference_values,
      total.vanishing_values,
      total.reference_drift,
      total.lasting_values
    FROM histogram_1 AS histogram
    LEFT JOIN reference_1 AS reference
      ON histogram.value_id = reference.value_id
    CROSS JOIN total_1 AS total
  )
SELECT
  class_id,
  class_size,
  fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 OR fails_7 OR fails_8 OR fails_9 OR fails_10 AS fails,
  LEAST(class_size, GREATEST(0, repair_5, repair_10)) AS repair,
  figure_1,
  fails_1,
  figure_2,
  fails_2,
  figure_3,
  fails_3,
  figure_4,
  fails_4,
  figure_5,
  fails_5,
  figure_6,
  fails_6,
  figure_7,
  fails_7,
  figure_8,
  fails_8,
  figure_9,
  fails_9,
  figure_10,
  fails_10
FROM (
  SELECT
    class.class_id,
    class.class_size,
    verdict_1.figure AS figure_1,
    CASE WHEN verdict_1.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_1.figure <= 1.7976931348623157e308, FALSE) END AS fails_1,
    CASE
      WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
      ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
    END AS repair_1,
    verdict_2.figure AS figure_2,
    CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
    CASE
      WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
      ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
    END AS repair_2,
    verdict_3.figure AS figure_3,
    CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= 1.7976931348623157e308, FALSE) END AS fails_3,
    CASE
      WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
      ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
    END AS repair_3,
    verdict_4.figure AS figure_4,
    CASE WHEN verdict_4.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= 1.7976931348623157e308, FALSE) END AS fails_4,
    CASE
      WHEN NOT COALESCE(verdict_4.fails, TRUE) THEN 0
      ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
    END AS repair_4,
    verdict_5.figure AS figure_5,
    CASE WHEN verdict_5.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_5.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_5,
    CASE
      WHEN NOT COALESCE(verdict_5.fails, TRUE) THEN 0
      ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
    END AS repair_5,
    verdict_6.figure AS figure_6,
    CASE WHEN verdict_6.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= 1.7976931348623157e308, FALSE) END AS fails_6,
    CASE
      WHEN NOT COALESCE(verdict_6.fails, TRUE) THEN 0
      ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
    END AS repair_6,
    verdict_7.figure AS figure_7,
    CASE WHEN verdict_7.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_7.fails, TRUE) OR NOT COALESCE(verdict_7.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_7.figure <= 1.7976931348623157e308, FALSE) END AS fails_7,
    CASE
      WHEN NOT COALESCE(verdict_7.fails, TRUE) THEN 0
      ELSE GREATEST(1, CEIL(COALESCE(verdict_7.repair, 0) - 1e-6 - 1e-12 * class_size))
    END AS repair_7,
    verdict_8.figure AS figure_8,
    CASE WHEN verdict_8.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_8.fails, TRUE) OR NOT COALESCE(verdict_8.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_8.figure <= 1.7976931348623157e308, FALSE) END AS fails_8,
    CASE
      WHEN NOT COALESCE(verdict_8.fails, TRUE) THEN 0
      ELSE GREATEST(1, CEIL(COALESCE(verdict_8.repair, 0) - 1e-6 - 1e-12 * class_size))
    END AS repair_8,
    verdict_9.figure AS figure_9,
    CASE WHEN verdict_9.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_9.fails, TRUE) OR NOT COALESCE(verdict_9.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_9.figure <= 1.7976931348623157e308, FALSE) END AS fails_9,
    CASE
      WHEN NOT COALESCE(verdict_9.fails, TRUE) THEN 0
      ELSE GREATEST(1, CEIL(COALESCE(verdict_9.repair, 0) - 1e-6 - 1e-12 * class_size))
    END AS repair_9,
    verdict_10.figure AS figure_10,
    CASE WHEN verdict_10.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_10.fails, TRUE) OR NOT COALESCE(verdict_10.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_10.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_10,
    CASE
      WHEN NOT COALESCE(verdict_10.fails, TRUE) THEN 0
      ELSE GREATEST(1, CEIL(COALESCE(verdict_10.repair, 0) - 1e-6 - 1e-12 * class_size))
    END AS repair_10
  FROM class_0 AS class
  LEFT JOIN (
    SELECT
      class_id,
      FALSE AS fails,
      CASE WHEN COUNT(*) <= 1 THEN class_size ELSE 0 END AS figure,
      class_size AS repair
    FROM histogram_1
    GROUP BY class_id, class_size
  ) AS verdict_1
    ON class.class_id = verdict_1.class_id
  LEFT JOIN (
    SELECT
      class_id,
      FALSE AS fails,
      CASE WHEN COUNT(*) <= 2 THEN class_size ELSE 0 END AS figure,
      class_size AS repair
    FROM histogram_1
    GROUP BY class_id, class_size
  ) AS verdict_2
    ON class.class_id = verdict_2.class_id
  LEFT JOIN (
    SELECT
      class_id,
      FALSE AS fails,
      CASE WHEN COUNT(*) <= 3 THEN class_size ELSE 0 END AS figure,
      class_size AS repair
    FROM histogram_1
    GROUP BY class_id, class_size
  ) AS verdict_3
    ON class.class_id = verdict_3.class_id
  LEFT JOIN (
    SELECT
      class_id,
      FALSE AS fails,
      CASE WHEN COUNT(*) <= 4 THEN class_size ELSE 0 END AS figure,
      class_size AS repair
    FROM histogram_1
    GROUP BY class_id, class_size
  ) AS verdict_4
    ON class.class_id = verdict_4.class_id
  LEFT JOIN (
    SELECT
      class_id,
      FALSE AS fails,
      MAX(value_count / GREATEST(1, class_size * (reference_count / reference_rows))) AS figure,
      0 AS repair
    FROM compared_1
    GROUP BY class_id
  ) AS verdict_5
    ON class.class_id = verdict_5.class_id
  LEFT JOIN (
    SELECT
      class_id,
      FALSE AS fails,
      CASE WHEN COUNT(*) <= 1 THEN class_size ELSE 0 END AS figure,
      class_size AS repair
    FROM histogram_1
    GROUP BY class_id, class_size
  ) AS verdict_6
    ON class.class_id = verdict_6.class_id
  LEFT JOIN (
    SELECT
      class_id,
      FALSE AS fails,
      CASE WHEN COUNT(*) <= 3 THEN class_size ELSE 0 END AS figure,
      class_size AS repair
    FROM histogram_1
    GROUP BY class_id, class_size
  ) AS verdict_7
    ON class.class_id = verdict_7.class_id
  LEFT JOIN (
    SELECT
      class_id,
      FALSE AS fails,
      CASE WHEN COUNT(*) <= 4 THEN class_size ELSE 0 END AS figure,
      class_size AS repair
    FROM histogram_1
    GROUP BY class_id, class_size
  ) AS verdict_8
    ON class.class_id = verdict_8.class_id
  LEFT JOIN (
    SELECT
      class_id,
      FALSE AS fails,
      CASE WHEN COUNT(*) <= 5 THEN class_size ELSE 0 END AS figure,
      class_size AS repair
    FROM histogram_1
    GROUP BY class_id, class_size
  ) AS verdict_9
    ON class.class_id = verdict_9.class_id
  LEFT JOIN (
    SELECT
      class_id,
      FALSE AS fails,
      MAX(value_count / GREATEST(1, class_size * (reference_count / reference_rows))) AS figure,
      0 AS repair
    FROM compared_1
    GROUP BY class_id
  ) AS verdict_10
    ON class.class_id = verdict_10.class_id
) AS judged

-- judging/verdict_by_value
verdict_1.figure AS figure_1,
CASE WHEN verdict_1.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_1.figure <= 1.7976931348623157e308, FALSE) END AS fails_1,
CASE
  WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
  ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
END AS repair_1

-- judging/wide_classes.duckdb
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
      class_size * (work_2 / unit_2 + reach_2 / (scale_2 * r_rows) - (0.5 + reach_2 / (scale_2 * 28))) / CASE WHEN 0.5 + reach_2 / (scale_2 * 28) < 0.999 THEN 1 - (0.5 + reach_2 / (scale_2 * 28)) END AS need_2
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
        ELSE GREATEST(0, CEIL(COALESCE(need_2, 0) - 1e-6 - 1e-12 * class_size))
      END
    )) AS repair
  FROM judged_0
)

-- judging/wide_round.duckdb
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
      class_size * (work_2 / unit_2 + reach_2 / (scale_2 * r_rows) - (0.5 + reach_2 / (scale_2 * 28))) / CASE WHEN 0.5 + reach_2 / (scale_2 * 28) < 0.999 THEN 1 - (0.5 + reach_2 / (scale_2 * 28)) END AS need_2
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
        ELSE GREATEST(0, CEIL(COALESCE(need_2, 0) - 1e-6 - 1e-12 * class_size))
      END
    )) AS repair
  FROM judged_0
)
