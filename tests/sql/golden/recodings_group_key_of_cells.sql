CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_key" AS
SELECT
  CONCAT(
    CAST(SUM(CAST(CONCAT('0x', SUBSTRING(digest, 1, 15)) AS BIGINT)) AS VARCHAR),
    '-',
    CAST(SUM(CAST(CONCAT('0x', SUBSTRING(digest, 16, 15)) AS BIGINT)) AS VARCHAR)
  ) AS hash_key
FROM (
  SELECT MD5(CONCAT(label_place, ',', value_place, ',', row_count)) AS digest
  FROM temp.main."sqlgen_group_cell"
) AS source_cell
