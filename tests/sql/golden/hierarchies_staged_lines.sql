(SELECT fields[1], fields[2] FROM temp.main."sqlgen_line" WHERE list = 1)
