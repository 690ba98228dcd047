WITH candidate AS (
  SELECT class_id, 1 AS superset, 1 AS member
  FROM class
  WHERE class_id IN (SELECT class_id FROM histogram_1)
  UNION ALL
  SELECT class_id, 2 AS superset, DENSE_RANK() OVER (ORDER BY key_1 ASC NULLS FIRST, TRUE ASC) AS member
  FROM class
  WHERE class_id IN (SELECT class_id FROM histogram_1)
),
superset_value AS MATERIALIZED (
  SELECT
    candidate.superset,
    candidate.member,
    histogram.value_id,
    CAST(SUM(histogram.value_count) AS BIGINT) AS reference_count
  FROM histogram_1 AS histogram
  JOIN candidate
    ON histogram.class_id = candidate.class_id
  GROUP BY candidate.superset, candidate.member, histogram.value_id
),
pair AS MATERIALIZED (
  SELECT
    ROW_NUMBER() OVER () AS pair_id,
    candidate.*,
    histogram.class_size,
    large.reference_rows,
    large.reference_values
  FROM candidate
  JOIN (SELECT DISTINCT class_id, class_size FROM histogram_1) AS histogram
    ON candidate.class_id = histogram.class_id
  JOIN (
    SELECT superset, member, CAST(SUM(reference_count) AS BIGINT) AS reference_rows, COUNT(*) AS reference_values
    FROM superset_value
    GROUP BY superset, member
    HAVING SUM(reference_count) >= 5
  ) AS large
    ON candidate.superset = large.superset
    AND candidate.member = large.member
),
around AS MATERIALIZED (
  SELECT
    pair.pair_id AS class_id,
    pair.class_size,
    superset_value.value_id,
    COALESCE(histogram.value_count, 0) AS value_count,
    superset_value.reference_count,
    pair.reference_rows,
    pair.reference_values,
    0 AS reference_drift,
    0 AS vanishing_values
  FROM pair
  JOIN superset_value
    ON pair.superset = superset_value.superset
    AND pair.member = superset_value.member
  LEFT JOIN histogram_1 AS histogram
    ON pair.class_id = histogram.class_id
    AND superset_value.value_id = histogram.value_id
),
around_held AS (
  SELECT *
  FROM around
  WHERE value_count > 0
)
SELECT
  class.class_id,
  COALESCE(BOOL_AND(verdict.fails), TRUE) AS fails,
  COALESCE(MIN(verdict.figure), CAST('infinity' AS DOUBLE)) AS figure,
  0 AS repair
FROM (SELECT DISTINCT class_id FROM histogram_1) AS class
LEFT JOIN pair
  ON class.class_id = pair.class_id
LEFT JOIN (
  SELECT
    class_id,
    work * 1 > unit * 1 AS fails,
    work / unit AS figure,
    CAST(0 AS DOUBLE) AS repair
  FROM (
    SELECT
      class_id,
      class_size,
      work,
      unit,
      reference_drift / reference_rows + vanishing_values / GREATEST(reference_values - 1, 1) AS drift
    FROM (
      WITH position AS MATERIALIZED (
        SELECT
          id_0 AS value_id,
          ROW_NUMBER() OVER (ORDER BY position ASC) AS place
        FROM temp.main."sqlgen_ladder_3"
        WHERE id_0 IN (SELECT value_id FROM histogram_1)
      )
      SELECT
        class_id,
        class_size,
        reference_rows,
        reference_values,
        reference_drift,
        vanishing_values,
        COALESCE(SUM(places * ABS(CAST(reference_rows AS BIGINT) * class_cumulative - CAST(class_size AS BIGINT) * reference_cumulative)), 0) AS work,
        GREATEST(CAST((SELECT COUNT(*) - 1 FROM position) AS HUGEINT) * class_size * reference_rows, 1) AS unit
      FROM (
        SELECT
          dense.*,
          CAST(LEAD(position.place) OVER class_order - position.place AS HUGEINT) AS places,
          CAST(SUM(dense.value_count) OVER class_order AS BIGINT) AS class_cumulative,
          CAST(SUM(dense.reference_count) OVER class_order AS BIGINT) AS reference_cumulative
        FROM around AS dense
        JOIN position
          ON dense.value_id = position.value_id
        WINDOW class_order AS (PARTITION BY dense.class_id ORDER BY position.place ASC)
      ) AS cumulative
      GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
    ) AS class_work
  ) AS class_distance
) AS verdict
  ON pair.pair_id = verdict.class_id
GROUP BY class.class_id
