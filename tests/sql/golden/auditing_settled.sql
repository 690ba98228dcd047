WITH
cell AS MATERIALIZED (
  SELECT
    CAST("audited"."zip" AS VARCHAR) COLLATE C AS q1,
    "audited"."age" AS q2,
    CAST("audited"."disease" AS VARCHAR) COLLATE C AS s1,
    COUNT(*) AS row_count
  FROM "memory"."main"."patients" AS audited
  GROUP BY CAST("audited"."zip" AS VARCHAR) COLLATE C, "audited"."age", CAST("audited"."disease" AS VARCHAR) COLLATE C
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
    q1 AS key_1,
    q2 AS key_2,
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM valued_cell AS cell
  GROUP BY q1, q2, v1
),
class AS MATERIALIZED (
  SELECT
    key_1,
    key_2,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY key_1, key_2
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
    ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2
  WHERE NOT (FALSE)
)
SELECT
  CAST(COALESCE(SUM(class_size) FILTER (WHERE NOT (fails)), 0) AS BIGINT) AS kept_rows,
  COUNT(*) FILTER (WHERE fails) AS failing_classes
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
    fails_1 AS fails,
    LEAST(class_size, GREATEST(0, repair_1)) AS repair,
    figure_1,
    fails_1
  FROM (
    SELECT
      class.class_id,
      class.class_size,
      verdict_1.figure AS figure_1,
      CASE WHEN verdict_1.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_1.figure <= CAST(0.1000000110000000055511156782 AS DOUBLE), FALSE) END AS fails_1,
      CASE
        WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_1
    FROM class_0 AS class
    LEFT JOIN (
      SELECT
        class_id,
        work * 10 > unit * 1 AS fails,
        work / unit AS figure,
        class_size * ((work * 10 - unit * 1) / (unit * 9)) AS repair
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
