READ_PARQUET('/folder/released.sqlgen-partial/**/*.parquet', hive_partitioning = FALSE)
