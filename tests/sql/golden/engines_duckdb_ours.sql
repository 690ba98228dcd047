SELECT table_name AS name
FROM duckdb_tables()
WHERE REGEXP_FULL_MATCH(LOWER(table_name), 'sqlgen_(source|whole|coarse|ladder|label|cell|value_cell|wide_cell|kept|line|leaf|reference|people|lookup|audit|released|partitions|check_cell|shown_cell|shown_leaf|shown_label|joint_shown|joint_cell|joint_class|joint_label|joint_value|joint_held|joint_met|joint_signature|joint_rung|joint_roll|joint_rolled|joint_version|joint_changed|joint_change|joint_held_together|joint_counted_together|joint_region_source|replaced|probe|found|rung|region|region_cell|region_label|region_reference|region_value|region_shown|region_class|region_taken|region_tree|region_print|region_kept|layer|finer|rest|split|group_value|group_key|group_cell|group_number)(_[a-z]?\d+)*')
UNION
SELECT view_name AS name
FROM duckdb_views()
WHERE NOT internal AND REGEXP_FULL_MATCH(LOWER(view_name), 'sqlgen_(source|whole|coarse|ladder|label|cell|value_cell|wide_cell|kept|line|leaf|reference|people|lookup|audit|released|partitions|check_cell|shown_cell|shown_leaf|shown_label|joint_shown|joint_cell|joint_class|joint_label|joint_value|joint_held|joint_met|joint_signature|joint_rung|joint_roll|joint_rolled|joint_version|joint_changed|joint_change|joint_held_together|joint_counted_together|joint_region_source|replaced|probe|found|rung|region|region_cell|region_label|region_reference|region_value|region_shown|region_class|region_taken|region_tree|region_print|region_kept|layer|finer|rest|split|group_value|group_key|group_cell|group_number)(_[a-z]?\d+)*')
ORDER BY name ASC
