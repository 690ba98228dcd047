READ_PARQUET('/folder/released.parquet.sqlgen-partial', hive_partitioning = FALSE)
