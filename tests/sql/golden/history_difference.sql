WITH exposed AS (
  SELECT
    earlier_version,
    later_version,
    came,
    went,
    CASE
      WHEN came < 2 THEN came
      WHEN is_partly_masked AND grown > 0 AND grown < 2 THEN came
      WHEN NOT is_masked AND (FALSE) THEN came
      ELSE 0
    END AS exposed_came,
    CASE
      WHEN went < 2 THEN went
      WHEN is_partly_masked AND -grown > 0 AND -grown < 2 THEN went
      WHEN NOT is_masked AND (FALSE) THEN went
      ELSE 0
    END AS exposed_went
  FROM temp.main."sqlgen_joint_change"
)
SELECT
  changed.earlier,
  changed.later,
  CAST(SUM(exposed.came) AS BIGINT) AS rows_came,
  CAST(SUM(exposed.went) AS BIGINT) AS rows_went,
  CAST(SUM(exposed.exposed_came + exposed.exposed_went) AS BIGINT) AS exposed_rows
FROM temp.main."sqlgen_joint_changed" AS changed
JOIN exposed
  ON changed.earlier_version = exposed.earlier_version AND changed.later_version = exposed.later_version
GROUP BY changed.earlier, changed.later
