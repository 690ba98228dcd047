(SELECT label, level, leaves, log_leaves, log_rows FROM temp.main."sqlgen_shown_label_1" WHERE level = 0)
