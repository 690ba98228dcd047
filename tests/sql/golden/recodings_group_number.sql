CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_number" AS
SELECT
  raw_group,
  ROW_NUMBER() OVER (ORDER BY MD5(CONCAT(hash_key, ':', CAST(raw_group AS VARCHAR))) ASC, raw_group ASC) AS group_id
FROM (
  SELECT DISTINCT raw_group
  FROM temp.main."sqlgen_group_row"
) AS raw
CROSS JOIN temp.main."sqlgen_group_key" AS source_key
