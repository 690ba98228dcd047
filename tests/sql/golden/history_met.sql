CREATE TEMPORARY TABLE temp.main."sqlgen_joint_met" AS
WITH combination AS (
  SELECT
    value_1.id AS v1,
    value_2.id AS v2,
    COUNT(*) AS row_count
  FROM "memory"."main"."patients" AS source
  JOIN temp.main."sqlgen_joint_value_q1" AS value_1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM value_1.value
  JOIN temp.main."sqlgen_joint_value_q2" AS value_2
    ON "source"."age" IS NOT DISTINCT FROM value_2.value
  GROUP BY ALL
)
SELECT
  class_1.class_id AS c1,
  CAST(LEAST(class_1.class_size) AS BIGINT) AS class_size,
  COUNT(*) AS combination_count,
  CAST(SUM(combination.row_count) AS BIGINT) AS row_count
FROM combination
JOIN temp.main."sqlgen_joint_value_q1" AS value_1
  ON combination.v1 = value_1.id
JOIN temp.main."sqlgen_joint_value_q2" AS value_2
  ON combination.v2 = value_2.id
LEFT JOIN temp.main."sqlgen_joint_class_1" AS class_1
  ON value_1.id_at_2 = class_1.q1 AND value_2.id_at_0 = class_1.q2
GROUP BY ALL
