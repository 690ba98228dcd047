CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_partitions" AS
WITH released_partition AS (
  SELECT DISTINCT "zip" AS part_1, "disease" AS part_2
  FROM temp.main."sqlgen_released"
),
released_folder AS (
  SELECT
    4 + COALESCE(STRLEN(URL_ENCODE(CAST(part_1 AS VARCHAR))), 26) AS length_1,
    8 + COALESCE(STRLEN(URL_ENCODE(CAST(part_2 AS VARCHAR))), 26) AS length_2,
    COALESCE(UPPER(CAST(part_1 AS VARCHAR)) IN ('NULL', '__HIVE_DEFAULT_PARTITION__'), FALSE) AS is_misread_1,
    COALESCE(UPPER(CAST(part_2 AS VARCHAR)) IN ('NULL', '__HIVE_DEFAULT_PARTITION__'), FALSE) AS is_misread_2
  FROM released_partition
)
SELECT
  (SELECT COUNT(*) FROM "memory"."main"."patients") AS source_rows,
  COUNT(*) AS partitions,
  COUNT(*) FILTER (WHERE length_1 > 255 OR length_2 > 255) AS long_folders,
  COUNT(*) FILTER (WHERE length_1 + length_2 + STRLEN('/folder/released.sqlgen-partial') + 55 > 4095) AS long_paths,
  COUNT(*) FILTER (WHERE is_misread_1 OR is_misread_2) AS misread
FROM released_folder
