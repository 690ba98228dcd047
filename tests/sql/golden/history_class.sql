CREATE TEMPORARY TABLE temp.main."sqlgen_joint_class_1" AS
SELECT
  class_id,
  q1,
  q2,
  CAST(SUM(row_count) AS BIGINT) AS class_size,
  BOOL_AND(is_masked) AS is_masked
FROM temp.main."sqlgen_joint_cell_1"
GROUP BY class_id, q1, q2
