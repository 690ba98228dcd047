WITH
cell AS MATERIALIZED (
  SELECT
    CAST("audited"."disease" AS VARCHAR) COLLATE C AS s1,
    COUNT(*) AS row_count
  FROM READ_CSV('/folder/released.csv', header = TRUE, all_varchar = TRUE, delim = ',', quote = '"', escape = '"', comment = '', nullstr = '', allow_quoted_nulls = FALSE, null_padding = FALSE, ignore_errors = FALSE, hive_partitioning = FALSE) AS audited
  GROUP BY CAST("audited"."disease" AS VARCHAR) COLLATE C
),
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
),
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
SELECT
  COALESCE(MAX(figure_1), 0) > 0 AS is_open_1,
  COALESCE(MAX(figure_2), 0) > 0 AS is_open_2,
  COALESCE(MAX(figure_3), 0) > 0 AS is_open_3,
  COALESCE(MAX(figure_4), 0) > 0 AS is_open_4,
  COALESCE(MAX(figure_5), 0) > 0 AS is_open_5,
  COALESCE(MAX(figure_6), 0) > 0 AS is_open_6,
  COALESCE(MAX(figure_7), 0) > 0 AS is_open_7,
  COALESCE(MAX(figure_8), 0) > 0 AS is_open_8,
  COALESCE(MAX(figure_9), 0) > 0 AS is_open_9,
  COALESCE(MAX(figure_10), 0) > 0 AS is_open_10,
  COALESCE(BOOL_OR(has_null_1), FALSE) AS has_null_1,
  COALESCE(BOOL_OR(has_null_2), FALSE) AS has_null_2,
  COALESCE(BOOL_OR(has_null_3), FALSE) AS has_null_3,
  COALESCE(BOOL_OR(has_null_4), FALSE) AS has_null_4,
  COALESCE(BOOL_OR(has_null_5), FALSE) AS has_null_5
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
) AS verdict
CROSS JOIN (
  SELECT
    COUNT(*) > COUNT("disease") AS has_null_1,
    COUNT(*) > COUNT("disease") AS has_null_2,
    COUNT(*) > COUNT("disease") AS has_null_3,
    COUNT(*) > COUNT("disease") AS has_null_4,
    COUNT(*) > COUNT("disease") AS has_null_5
  FROM READ_CSV('/folder/released.csv', header = TRUE, all_varchar = TRUE, delim = ',', quote = '"', escape = '"', comment = '', nullstr = '', allow_quoted_nulls = FALSE, null_padding = FALSE, ignore_errors = FALSE, hive_partitioning = FALSE) AS audited
) AS null_count
