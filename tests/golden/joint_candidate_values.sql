WITH held_count AS (
  SELECT release, class_id, COUNT(*) AS value_count
  FROM temp.main."sqlgen_joint_held"
  GROUP BY release, class_id
),
known AS (
  SELECT
    signature.signature_id,
    signature.row_count,
    signature.c1,
    count_1.value_count AS n1,
    LEAST(count_1.value_count) AS least_count
  FROM temp.main."sqlgen_joint_signature" AS signature
  LEFT JOIN held_count AS count_1
    ON count_1.release = 1 AND count_1.class_id = signature.c1
),
begun AS (
  SELECT
    *,
    CASE WHEN n1 = least_count THEN 1 END AS release,
    CASE WHEN n1 = least_count THEN c1 END AS class_id
  FROM known
  WHERE least_count IS NOT NULL
),
candidate AS (
  SELECT begun.signature_id, COUNT(DISTINCT COALESCE(counted.id_to, held.value_id)) AS candidates
  FROM begun
  JOIN temp.main."sqlgen_joint_held" AS held
    ON begun.release = held.release AND begun.class_id = held.class_id
  LEFT JOIN temp.main."sqlgen_joint_held" AS held_1
    ON held_1.release = 1 AND held_1.class_id = begun.c1 AND held_1.value_id = held.value_id
  LEFT JOIN temp.main."sqlgen_joint_rung_0_1" AS counted
    ON held.value_id = counted.id_from
  WHERE (begun.n1 IS NULL OR held_1.value_id IS NOT NULL)
  GROUP BY begun.signature_id
),
left_over AS (
  SELECT begun.row_count, begun.least_count, COALESCE(candidate.candidates, 0) AS candidates
  FROM begun
  LEFT JOIN candidate
    ON begun.signature_id = candidate.signature_id
)
SELECT
  MIN(candidates) AS fewest,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE candidates < 0 AND candidates < least_count), 0) AS BIGINT) AS rows_below,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE candidates = 0), 0) AS BIGINT) AS rows_without
FROM left_over
