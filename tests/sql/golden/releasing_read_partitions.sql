SELECT * FROM temp.main."sqlgen_partitions"
