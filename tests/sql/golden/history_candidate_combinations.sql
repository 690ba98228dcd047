WITH held AS (
  SELECT
    class_value.release,
    class_value.class_id,
    class_value.s1,
    class_value.s2,
    COALESCE(counted.id_to, class_value.s1) AS counted_id
  FROM held_together AS class_value
  LEFT JOIN counted AS counted
    ON class_value.s1 = counted.id_from
),
class_count AS (
  SELECT release, class_id, COUNT(*) AS combination_count, COUNT(DISTINCT counted_id) AS value_count
  FROM held
  GROUP BY release, class_id
),
known AS (
  SELECT met.signature_id, met.row_count, class_count.*
  FROM (
    SELECT signature_id, row_count, 1 AS release, c1 AS class_id
    FROM signature
    WHERE c1 IS NOT NULL
    UNION ALL
    SELECT signature_id, row_count, 2 AS release, c2 AS class_id
    FROM signature
    WHERE c2 IS NOT NULL
  ) AS met
  JOIN class_count
    ON met.release = class_count.release AND met.class_id = class_count.class_id
),
begun AS (
  SELECT
    signature_id,
    MAX(class_id) FILTER (WHERE release = 1) AS c1,
    MAX(class_id) FILTER (WHERE release = 2) AS c2,
    ANY_VALUE(row_count) AS row_count,
    MIN(value_count) AS least_count,
    ARG_MIN({'release': release, 'class_id': class_id}, combination_count) AS least
  FROM known
  GROUP BY signature_id
  HAVING COUNT(*) > 1
),
common AS (
  SELECT begun.signature_id, held.counted_id
  FROM begun
  JOIN held
    ON begun.least.release = held.release AND begun.least.class_id = held.class_id
  LEFT JOIN held AS held_1
    ON held_1.release = 1 AND begun.c1 = held_1.class_id AND held.s1 = held_1.s1 AND held.s2 = held_1.s2
  LEFT JOIN held AS held_2
    ON held_2.release = 2 AND begun.c2 = held_2.class_id AND held.s1 = held_2.s1 AND held.s2 = held_2.s2
  WHERE (begun.c1 IS NULL OR held_1.class_id IS NOT NULL) AND (begun.c2 IS NULL OR held_2.class_id IS NOT NULL)
),
candidate AS (
  SELECT signature_id, COUNT(DISTINCT counted_id) AS candidates
  FROM common
  GROUP BY signature_id
),
left_over AS (
  SELECT begun.row_count, begun.least_count, candidate.candidates
  FROM begun
  LEFT JOIN candidate
    ON begun.signature_id = candidate.signature_id
)
SELECT
  MIN(candidates) AS fewest,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE candidates < 2 AND candidates < least_count), 0) AS BIGINT) AS rows_below,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE candidates IS NULL), 0) AS BIGINT) AS rows_without
FROM left_over
