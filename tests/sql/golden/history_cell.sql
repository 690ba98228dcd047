CREATE TEMPORARY TABLE temp.main."sqlgen_joint_cell_1" AS
SELECT
  DENSE_RANK() OVER (ORDER BY named_q1.id ASC, named_q2.id ASC) AS class_id,
  named_q1.id AS q1,
  named_q2.id AS q2,
  named_s1.id AS s1,
  shown.s1 IS NULL AS is_masked,
  shown.row_count
FROM temp.main."sqlgen_joint_shown_1" AS shown
JOIN temp.main."sqlgen_joint_label_q1" AS named_q1
  ON shown.q1 IS NOT DISTINCT FROM named_q1.called
JOIN temp.main."sqlgen_joint_label_q2" AS named_q2
  ON shown.q2 IS NOT DISTINCT FROM named_q2.called
JOIN temp.main."sqlgen_joint_label_s1" AS named_s1
  ON shown.s1 IS NOT DISTINCT FROM named_s1.called
