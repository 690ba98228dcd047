CREATE TEMPORARY TABLE temp.main."sqlgen_joint_held" AS
SELECT DISTINCT
  1 AS release,
  class.class_id,
  cell.s1 AS value_id
FROM temp.main."sqlgen_joint_cell_1" AS cell
JOIN temp.main."sqlgen_joint_class_1" AS class
  ON cell.q1 = class.q1 AND cell.q2 = class.q2
WHERE NOT class.is_withheld
