CREATE TEMPORARY TABLE temp.main."sqlgen_joint_signature" AS
SELECT
  ROW_NUMBER() OVER () AS signature_id,
  c1,
  MIN(class_size) AS class_size,
  CAST(SUM(combination_count) AS BIGINT) AS combination_count,
  CAST(SUM(row_count) AS BIGINT) AS row_count
FROM temp.main."sqlgen_joint_met"
WHERE class_size IS NOT NULL
GROUP BY c1
