READ_PARQUET('/folder/released.parquet', hive_partitioning = FALSE)
