CREATE TEMPORARY TABLE temp.main."sqlgen_joint_roll_q1_0_1" AS
WITH known AS (
  SELECT id_at_0 AS id_from, MIN(COALESCE(id_at_1, 0)) AS id_to
  FROM temp.main."sqlgen_joint_value_q1"
  WHERE id_at_0 IS NOT NULL
  GROUP BY id_at_0
  HAVING COUNT(DISTINCT COALESCE(id_at_1, 0)) = 1
)
SELECT id_from, id_to
FROM known
