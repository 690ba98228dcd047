WITH mask AS (
  SELECT DISTINCT c1 IS NOT NULL AS has_1
  FROM temp.main."sqlgen_joint_signature"
),
candidate AS (
  SELECT
    mask.has_1,
    CASE WHEN mask.has_1 THEN met.c1 END AS c1,
    CAST(SUM(met.row_count) AS BIGINT) AS candidates
  FROM temp.main."sqlgen_joint_met" AS met
  JOIN mask
    ON (met.c1 IS NOT NULL OR NOT mask.has_1)
  GROUP BY ALL
),
left_over AS (
  SELECT
    signature.combination_count,
    signature.row_count,
    LEAST(candidate.candidates, signature.class_size) AS candidates
  FROM temp.main."sqlgen_joint_signature" AS signature
  JOIN candidate
    ON signature.c1 IS NOT DISTINCT FROM candidate.c1
)
SELECT
  CAST(COALESCE(SUM(combination_count), 0) AS BIGINT) AS combination_count,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  MIN(candidates) AS fewest,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE candidates < 0), 0) AS BIGINT) AS rows_below
FROM left_over
