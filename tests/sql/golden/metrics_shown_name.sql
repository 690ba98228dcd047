(
  SELECT label, level, leaves, log_leaves, log_rows
  FROM temp.main."sqlgen_shown_label"
  WHERE number = 1
    AND level = 0
)
