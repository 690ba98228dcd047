(
  SELECT
    "zip",
    "age",
    "disease",
    CAST("visits" AS BIGINT) AS "visits"
  FROM READ_CSV('/folder/typed.csv.sqlgen-partial', header = TRUE, all_varchar = TRUE, delim = ',', quote = '"', escape = '"', comment = '', nullstr = '', allow_quoted_nulls = FALSE, null_padding = FALSE, ignore_errors = FALSE, hive_partitioning = FALSE, names = ['zip', 'age', 'disease', 'visits'], new_line = '\n', compression = 'none')
)
