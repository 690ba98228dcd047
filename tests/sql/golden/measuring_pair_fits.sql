SELECT (
  SELECT CAST(COALESCE(SUM(group_count) FILTER (WHERE is_misfit), 0) AS BIGINT)
  FROM temp.main."sqlgen_pair_alike"
) AS misfits
