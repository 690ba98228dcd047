(
  SELECT value, row_count, 0 AS level, name_0 AS label
  FROM temp.main."sqlgen_shown_leaf_1"
  WHERE is_kept
  UNION ALL
  SELECT value, row_count, 1 AS level, name_1 AS label
  FROM temp.main."sqlgen_shown_leaf_1"
  WHERE is_kept
  UNION ALL
  SELECT value, row_count, 2 AS level, name_2 AS label
  FROM temp.main."sqlgen_shown_leaf_1"
  WHERE is_kept
)
