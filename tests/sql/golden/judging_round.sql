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
