SELECT
  COUNT(*) AS value_count,
  COUNT(*) FILTER (
    WHERE TRUE
  ) AS unexplained
FROM (SELECT DISTINCT value FROM temp.main."sqlgen_found") AS found
