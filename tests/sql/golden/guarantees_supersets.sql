candidate AS (
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
)
