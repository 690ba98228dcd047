SELECT
  specialization.quasi,
  COUNT(*) AS region_count,
  CAST(SUM(region_size) AS BIGINT) AS row_count,
  COUNT(*) FILTER (WHERE NOT some_pass) AS none_passes,
  COUNT(*) FILTER (WHERE some_pass) AS rest_fails
FROM (
  SELECT
    finer.region,
    finer.quasi,
    SUM(finer.class_size) AS region_size,
    BOOL_OR(finer.passes) AS some_pass,
    BOOL_AND(finer.passes) AS all_pass
  FROM temp.main."sqlgen_finer" AS finer
  GROUP BY finer.region, finer.quasi
) AS specialization
LEFT JOIN temp.main."sqlgen_rest" AS rest
  ON specialization.region = rest.region
  AND specialization.quasi = rest.quasi
WHERE NOT some_pass OR (NOT all_pass AND NOT COALESCE(rest.passes, FALSE))
GROUP BY specialization.quasi
