SELECT
  CAST("audited"."disease" AS VARCHAR) COLLATE C AS s1,
  COUNT(*) AS row_count
FROM READ_CSV('/folder/released.csv', header = TRUE, all_varchar = TRUE, delim = ',', quote = '"', escape = '"', comment = '', nullstr = '', allow_quoted_nulls = FALSE, null_padding = FALSE, ignore_errors = FALSE, hive_partitioning = FALSE) AS audited
GROUP BY CAST("audited"."disease" AS VARCHAR) COLLATE C
