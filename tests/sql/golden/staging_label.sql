SELECT
  ladder,
  level,
  id,
  leaves,
  row_count,
  CAST(FLOOR(LN(GREATEST(leaves, 1)) * 1e12 + 0.5) AS BIGINT) AS log_leaves,
  CAST(FLOOR(LN(GREATEST(row_count, 1)) * 1e12 + 0.5) AS BIGINT) AS log_rows,
  is_uncovered OR level = 0 AND leaves > 1 OR COALESCE(least_next < greatest_next, FALSE) AS is_faulty
FROM (
  SELECT
    ladder,
    level,
    id,
    COUNT(*) AS leaves,
    CAST(SUM(row_count) AS BIGINT) AS row_count,
    BOOL_OR(is_uncovered AND ladder IN (1, 2)) AS is_uncovered,
    MIN(next_id) AS least_next,
    MAX(next_id) AS greatest_next
  FROM (
    SELECT
      1 AS ladder,
      2 AS height,
      UNNEST([0, 1, 2]) AS level,
      UNNEST([id_0, id_1, CAST(0 AS UINTEGER)]) AS id,
      UNNEST([0, 0, 0]) AS next_id,
      row_count,
      missing_level IS NOT NULL AND row_count > 0 AS is_uncovered
    FROM temp.main."sqlgen_ladder_1" AS leaf
    WHERE is_kept
    UNION ALL
    SELECT
      2 AS ladder,
      2 AS height,
      UNNEST([0, 1, 2]) AS level,
      UNNEST([id_0, id_1, CAST(0 AS UINTEGER)]) AS id,
      UNNEST([0, 0, 0]) AS next_id,
      row_count,
      missing_level IS NOT NULL AND row_count > 0 AS is_uncovered
    FROM temp.main."sqlgen_ladder_2" AS leaf
    WHERE is_kept
  ) AS leaf
  WHERE level <= height
  GROUP BY ladder, level, id
) AS label
