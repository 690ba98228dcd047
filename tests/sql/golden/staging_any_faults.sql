SELECT COUNT(*) FILTER (WHERE is_uncovered OR (level = 0 AND leaves > 1) OR least_next < greatest_next) AS fault_count
FROM (
  SELECT
    ladder,
    level,
    id,
    COUNT(*) AS leaves,
    BOOL_OR(is_uncovered) AS is_uncovered,
    MIN(next_id) AS least_next,
    MAX(next_id) AS greatest_next
  FROM (
    SELECT
      1 AS ladder,
      missing_level IS NOT NULL AND row_count > 0 AS is_uncovered,
      UNNEST([0]) AS level,
      UNNEST([id_0]) AS id,
      UNNEST([0]) AS next_id
    FROM temp.main."sqlgen_ladder_3"
  ) AS leaf
  GROUP BY ladder, level, id
) AS label
