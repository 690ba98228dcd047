WITH relation AS (
  SELECT database_name <> 'temp' AS lasts, LOWER(table_name) AS name
  FROM duckdb_tables()
  UNION ALL
  SELECT database_name <> 'temp' AS lasts, LOWER(view_name) AS name
  FROM duckdb_views()
  WHERE NOT internal
)
SELECT DISTINCT lasts, name
FROM relation
WHERE STARTS_WITH(name, 'sqlgen_')
  AND (NOT lasts OR REGEXP_FULL_MATCH(name, 'sqlgen_(source|whole|coarse|ladder|label|cell|value_cell|wide_cell|kept|line|leaf|reference|people|lookup|audit|released|partitions|check_cell|shown_cell|shown_leaf|shown_label|joint_shown|joint_cell|joint_class|joint_label|joint_value|joint_held|joint_met|joint_signature|joint_rung|joint_roll|joint_rolled|joint_version|joint_changed|joint_change|joint_held_together|joint_counted_together|replaced|probe|found)(_[a-z]?\d+)*'))
ORDER BY lasts ASC, name ASC
