CREATE TEMPORARY TABLE temp.main."sqlgen_shown_cell" AS
SELECT
  CAST("audited"."zip" AS VARCHAR) COLLATE C AS q1,
  CAST("audited"."age" AS VARCHAR) COLLATE C AS q2,
  COUNT(*) AS row_count
FROM READ_CSV('/folder/released.csv', header = TRUE, all_varchar = TRUE, delim = ',', quote = '"', escape = '"', comment = '', nullstr = '', allow_quoted_nulls = FALSE, null_padding = FALSE, ignore_errors = FALSE, hive_partitioning = FALSE) AS audited
GROUP BY CAST("audited"."zip" AS VARCHAR) COLLATE C, CAST("audited"."age" AS VARCHAR) COLLATE C
