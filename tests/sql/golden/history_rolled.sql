SELECT
  1 AS release,
  roll_q1.id_to AS q1,
  roll_s1.id_to AS s1,
  class.is_masked OR NOT TRUE AS is_masked,
  roll_q1.id_from IS NULL OR roll_s1.id_from IS NULL AS is_unknown,
  CAST(SUM(cell.row_count) AS BIGINT) AS row_count
FROM temp.main."sqlgen_joint_cell_1" AS cell
JOIN temp.main."sqlgen_joint_class_1" AS class
  ON cell.class_id = class.class_id
LEFT JOIN temp.main."sqlgen_joint_roll_q1_0_1" AS roll_q1
  ON cell.q1 = roll_q1.id_from
LEFT JOIN temp.main."sqlgen_joint_roll_s1_0_1" AS roll_s1
  ON cell.s1 = roll_s1.id_from
GROUP BY ALL
