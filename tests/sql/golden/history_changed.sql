CREATE TEMPORARY TABLE temp.main."sqlgen_joint_changed" AS
SELECT pair.earlier, pair.later, before.version_id AS earlier_version, after.version_id AS later_version
FROM (
  VALUES
    (1, 2),
    (2, 4),
    (2, 5)
) AS pair (earlier, later)
JOIN temp.main."sqlgen_joint_version" AS before
  ON pair.earlier = before.release
JOIN temp.main."sqlgen_joint_version" AS after
  ON pair.later = after.release AND before.class_id = after.class_id
WHERE before.version_id <> after.version_id
