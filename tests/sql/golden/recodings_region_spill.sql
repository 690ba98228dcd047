CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_kept" AS
WITH last_region AS (
  SELECT cell.region AS number
  FROM temp.main."sqlgen_region_0" AS cell
  JOIN (SELECT DISTINCT number FROM temp.main."sqlgen_region_kept" WHERE NOT is_top) AS kept
    ON cell.region = kept.number
  GROUP BY cell.region
  ORDER BY cell.region DESC
  LIMIT 1
)
SELECT
  kept.* REPLACE (
    kept.is_shown AND kept.number NOT IN (SELECT number FROM last_region) AS is_shown,
    kept.is_gone OR kept.number IN (SELECT number FROM last_region) AS is_gone
  )
FROM temp.main."sqlgen_region_kept" AS kept
