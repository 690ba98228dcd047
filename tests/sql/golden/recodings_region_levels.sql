SELECT quasi, level, CAST(SUM(row_count) AS BIGINT) AS row_count
FROM (
  SELECT
    UNNEST([1, 2]) AS quasi,
    UNNEST([level_1, level_2]) AS level,
    row_count
  FROM temp.main."sqlgen_region_shown"
) AS column_level
GROUP BY quasi, level
