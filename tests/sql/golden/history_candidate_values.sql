WITH held_count AS (
  SELECT release, class_id, COUNT(*) AS value_count
  FROM temp.main."sqlgen_joint_held"
  GROUP BY release, class_id
),
known AS (
  SELECT met.signature_id, met.row_count, met.release, met.class_id, held_count.value_count
  FROM (
    SELECT signature_id, row_count, 1 AS release, c1 AS class_id
    FROM temp.main."sqlgen_joint_signature"
    WHERE c1 IS NOT NULL
  ) AS met
  JOIN held_count
    ON met.release = held_count.release AND met.class_id = held_count.class_id
),
begun AS (
  SELECT
    signature_id,
    ANY_VALUE(row_count) AS row_count,
    MIN(value_count) AS least_count,
    COUNT(*) AS class_count,
    ARG_MIN({'release': release, 'class_id': class_id}, value_count) AS least
  FROM known
  GROUP BY signature_id
),
tried AS MATERIALIZED (
  SELECT begun.signature_id, begun.class_count, held.s1 AS value_id
  FROM begun
  JOIN temp.main."sqlgen_joint_held" AS held
    ON begun.least.release = held.release AND begun.least.class_id = held.class_id
),
asked AS (
  SELECT tried.signature_id, tried.class_count, tried.value_id, known.release, known.class_id
  FROM tried
  JOIN known
    ON tried.signature_id = known.signature_id
),
common AS (
  SELECT asked.signature_id, asked.value_id
  FROM asked
  LEFT JOIN temp.main."sqlgen_joint_held" AS held
    ON asked.release = held.release AND asked.class_id = held.class_id AND asked.value_id = held.s1
  GROUP BY asked.signature_id, asked.class_count, asked.value_id
  HAVING COUNT(held.class_id) = asked.class_count
),
candidate AS (
  SELECT common.signature_id, COUNT(DISTINCT COALESCE(counted.id_to, common.value_id)) AS candidates
  FROM common
  LEFT JOIN temp.main."sqlgen_joint_rung_0_1" AS counted
    ON common.value_id = counted.id_from
  GROUP BY common.signature_id
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
