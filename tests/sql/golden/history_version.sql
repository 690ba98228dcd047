CREATE TEMPORARY TABLE temp.main."sqlgen_joint_version" AS
WITH cell AS (
  SELECT
    release,
    q1,
    s1,
    is_masked,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM temp.main."sqlgen_joint_rolled"
  WHERE NOT is_unknown
  GROUP BY ALL
),
class AS (
  SELECT
    release,
    q1,
    CAST(SUM(row_count) AS BIGINT) AS class_size,
    BOOL_AND(is_masked) AS is_masked,
    BOOL_OR(is_masked) AS is_partly_masked,
    LIST(
      STRUCT_PACK(s1 := s1, row_count := row_count)
      ORDER BY s1 ASC NULLS FIRST, row_count ASC
    ) FILTER (WHERE NOT is_masked) AS content
  FROM cell
  GROUP BY release, q1
)
SELECT
  release,
  DENSE_RANK() OVER (ORDER BY q1 ASC NULLS FIRST, TRUE ASC) AS class_id,
  DENSE_RANK() OVER (ORDER BY q1 ASC NULLS FIRST, class_size ASC, is_masked ASC, is_partly_masked ASC, content ASC NULLS FIRST) AS version_id,
  class_size,
  is_masked,
  is_partly_masked,
  content
FROM class
