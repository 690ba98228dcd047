CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_deal" AS
SELECT
  group_count,
  (
    SELECT MIN(candidate)
    FROM (SELECT UNNEST(RANGE(seed % group_count + 1, seed % group_count + 1001)) AS candidate) AS tried
    WHERE GCD(candidate, group_count) = 1
  ) AS factor,
  shift % group_count AS shift
FROM (
  SELECT
    (SELECT CAST(GREATEST(1, SUM(row_count) // 2) AS BIGINT) FROM temp.main."sqlgen_group_cell") AS group_count,
    CAST(CONCAT('0x', SUBSTRING(MD5(CONCAT(hash_key, ':factor')), 1, 15)) AS BIGINT) AS seed,
    CAST(CONCAT('0x', SUBSTRING(MD5(CONCAT(hash_key, ':shift')), 1, 15)) AS BIGINT) AS shift
  FROM temp.main."sqlgen_group_key"
) AS counted
