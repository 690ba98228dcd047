SELECT candidate.quasi, COUNT(*) AS region_count, CAST(SUM(region_size.row_count) AS BIGINT) AS row_count
FROM temp.main."sqlgen_cut_candidate_5" AS candidate
JOIN (
  SELECT region, SUM(row_count) AS row_count
  FROM temp.main."sqlgen_cut_region_5"
  GROUP BY region
) AS region_size
  ON candidate.region = region_size.region
GROUP BY candidate.quasi
