SELECT DISTINCT
  1 AS release,
  cell.class_id,
  cell.s1
FROM temp.main."sqlgen_joint_cell_1" AS cell
JOIN temp.main."sqlgen_joint_class_1" AS class
  ON cell.class_id = class.class_id
WHERE NOT class.is_masked
