SELECT
  COUNT(*) FILTER (WHERE missing_level IS NOT NULL AND row_count > 0) AS uncovered_values,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE missing_level IS NOT NULL), 0) AS BIGINT) AS uncovered_rows,
  MIN(missing_level) FILTER (WHERE row_count > 0) AS uncovered_level,
  COUNT(DISTINCT value) FILTER (WHERE label_sets > 1) AS repeated_values,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE label_sets > 1 AND label_set = 1), 0) AS BIGINT) AS repeated_rows,
  MIN(split_level) AS repeated_level
FROM (
  SELECT
    *,
    COUNT(*) OVER same_value AS label_sets,
    ROW_NUMBER() OVER same_value AS label_set,
    CASE
      WHEN value IS NULL THEN NULL
      WHEN MIN(id_1) OVER same_value < MAX(id_1) OVER same_value THEN 1
    END AS split_level
  FROM temp.main."sqlgen_ladder_1"
  WINDOW same_value AS (PARTITION BY value)
) AS leaf
