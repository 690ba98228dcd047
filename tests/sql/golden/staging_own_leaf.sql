(SELECT value, row_count, missing_level, is_kept, id_0, id_1 FROM temp.main."sqlgen_leaf" WHERE ladder = 1)
