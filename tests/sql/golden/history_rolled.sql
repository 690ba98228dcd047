CREATE TEMPORARY TABLE temp.main."sqlgen_joint_rolled" AS
SELECT
  1 AS release,
  COALESCE(roll_q1.id_to, 0) AS q1,
  COALESCE(roll_s1.id_to, 0) AS s1,
  class.is_withheld AS is_withheld,
  FALSE OR roll_q1.id_from IS NULL OR roll_s1.id_from IS NULL AS is_unknown,
  CAST(SUM(cell.row_count) AS BIGINT) AS row_count
FROM temp.main."sqlgen_joint_cell_1" AS cell
JOIN temp.main."sqlgen_joint_class_1" AS class
  ON cell.q1 = class.q1 AND cell.q2 = class.q2
LEFT JOIN temp.main."sqlgen_joint_roll_q1_0_1" AS roll_q1
  ON cell.q1 = roll_q1.id_from
LEFT JOIN temp.main."sqlgen_joint_roll_s1_0_1" AS roll_s1
  ON cell.s1 = roll_s1.id_from
GROUP BY ALL
UNION ALL
SELECT
  2 AS release,
  cell.q1 AS q1,
  cell.s1 AS s1,
  class.is_withheld AS is_withheld,
  FALSE AS is_unknown,
  CAST(SUM(cell.row_count) AS BIGINT) AS row_count
FROM temp.main."sqlgen_joint_cell_2" AS cell
JOIN temp.main."sqlgen_joint_class_2" AS class
  ON cell.q1 = class.q1 AND cell.q2 = class.q2
GROUP BY ALL
UNION ALL
SELECT
  4 AS release,
  COALESCE(roll_q1.id_to, 0) AS q1,
  cell.s1 AS s1,
  class.is_withheld AS is_withheld,
  FALSE OR roll_q1.id_from IS NULL AS is_unknown,
  CAST(SUM(cell.row_count) AS BIGINT) AS row_count
FROM temp.main."sqlgen_joint_cell_4" AS cell
JOIN temp.main."sqlgen_joint_class_4" AS class
  ON cell.q1 = class.q1 AND cell.q2 = class.q2
LEFT JOIN temp.main."sqlgen_joint_roll_q1_0_1" AS roll_q1
  ON cell.q1 = roll_q1.id_from
GROUP BY ALL
UNION ALL
SELECT
  5 AS release,
  COALESCE(roll_q1.id_to, 0) AS q1,
  cell.s1 AS s1,
  class.is_withheld AS is_withheld,
  FALSE OR roll_q1.id_from IS NULL AS is_unknown,
  CAST(SUM(cell.row_count) AS BIGINT) AS row_count
FROM temp.main."sqlgen_joint_cell_5" AS cell
JOIN temp.main."sqlgen_joint_class_5" AS class
  ON cell.q1 = class.q1 AND cell.q2 = class.q2
LEFT JOIN temp.main."sqlgen_joint_roll_q1_0_1" AS roll_q1
  ON cell.q1 = roll_q1.id_from
GROUP BY ALL
