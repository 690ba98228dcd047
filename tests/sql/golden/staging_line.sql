CREATE TEMPORARY TABLE temp.main."sqlgen_line" AS
SELECT
  1 AS list,
  FALSE AS is_mistyped,
  [UNPACK(CAST(COLUMNS(*) AS VARCHAR) COLLATE C)] AS fields
FROM READ_CSV('/folder/zips.csv', header = FALSE, all_varchar = TRUE, delim = ',', quote = '"', escape = '"', skip = 0, comment = '', nullstr = '', allow_quoted_nulls = FALSE, null_padding = FALSE, ignore_errors = FALSE, sample_size = -1, hive_partitioning = FALSE) AS line (field_0)
