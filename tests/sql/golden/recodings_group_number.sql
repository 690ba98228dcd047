CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_number" AS
SELECT
  raw_group,
  ROW_NUMBER() OVER (ORDER BY MD5(CONCAT(hash_key, ':', CAST(raw_group AS VARCHAR))) ASC, raw_group ASC) AS group_id
FROM (
  SELECT UNNEST(RANGE(group_count)) AS raw_group
  FROM (SELECT DISTINCT group_count FROM temp.main."sqlgen_group_cell") AS counted
) AS raw
CROSS JOIN temp.main."sqlgen_group_key" AS source_key
