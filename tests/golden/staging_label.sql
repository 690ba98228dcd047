CREATE TEMPORARY TABLE temp.main."sqlgen_label" AS
SELECT
  ladder,
  level,
  id,
  leaves,
  CAST(FLOOR(LN(GREATEST(leaves, 1)) * 1e12 + 0.5) AS BIGINT) AS log_leaves,
  CAST(FLOOR(LN(GREATEST(row_count, 1)) * 1e12 + 0.5) AS BIGINT) AS log_rows
FROM (
  SELECT
    1 AS ladder,
    0 AS level,
    id_0 AS id,
    COUNT(*) AS leaves,
    SUM(row_count) AS row_count
  FROM temp.main."sqlgen_ladder_1"
  WHERE is_kept
  GROUP BY id_0
  UNION ALL
  SELECT
    1 AS ladder,
    1 AS level,
    id_1 AS id,
    COUNT(*) AS leaves,
    SUM(row_count) AS row_count
  FROM temp.main."sqlgen_ladder_1"
  WHERE is_kept
  GROUP BY id_1
  UNION ALL
  SELECT
    1 AS ladder,
    2 AS level,
    0 AS id,
    COUNT(*) FILTER (WHERE is_kept) AS leaves,
    SUM(row_count) FILTER (WHERE is_kept) AS row_count
  FROM temp.main."sqlgen_ladder_1"
  UNION ALL
  SELECT
    2 AS ladder,
    0 AS level,
    id_0 AS id,
    COUNT(*) AS leaves,
    SUM(row_count) AS row_count
  FROM temp.main."sqlgen_ladder_2"
  WHERE is_kept
  GROUP BY id_0
  UNION ALL
  SELECT
    2 AS ladder,
    1 AS level,
    id_1 AS id,
    COUNT(*) AS leaves,
    SUM(row_count) AS row_count
  FROM temp.main."sqlgen_ladder_2"
  WHERE is_kept
  GROUP BY id_1
  UNION ALL
  SELECT
    2 AS ladder,
    2 AS level,
    0 AS id,
    COUNT(*) FILTER (WHERE is_kept) AS leaves,
    SUM(row_count) FILTER (WHERE is_kept) AS row_count
  FROM temp.main."sqlgen_ladder_2"
) AS label
