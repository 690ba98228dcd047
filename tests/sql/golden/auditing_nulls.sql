SELECT
  COUNT(*) > COUNT("disease") AS has_null_1,
  COUNT(*) > COUNT("disease") AS has_null_2,
  COUNT(*) > COUNT("disease") AS has_null_3,
  COUNT(*) > COUNT("disease") AS has_null_4,
  COUNT(*) > COUNT("disease") AS has_null_5
FROM READ_CSV('/folder/released.csv', header = TRUE, all_varchar = TRUE, delim = ',', quote = '"', escape = '"', comment = '', nullstr = '', allow_quoted_nulls = FALSE, null_padding = FALSE, ignore_errors = FALSE, hive_partitioning = FALSE) AS audited
