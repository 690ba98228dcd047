(
  SELECT
    "zip",
    "age",
    "disease",
    CAST("visits" AS BIGINT) AS "visits"
  FROM READ_CSV('/folder/typed.csv.sqlgen-partial', header = TRUE, names = ['zip', 'age', 'disease', 'visits'], all_varchar = TRUE, delim = ',', new_line = '\n', quote = '"', escape = '"', comment = '', nullstr = '', allow_quoted_nulls = FALSE, null_padding = FALSE, ignore_errors = FALSE, compression = 'none', hive_partitioning = FALSE)
)
