CREATE TEMPORARY TABLE temp.main."sqlgen_label" AS
SELECT
  ladder,
  level,
  id,
  leaves,
  row_count,
  CAST(FLOOR(LN(GREATEST(leaves, 1)) * 1e12 + 0.5) AS BIGINT) AS log_leaves,
  CAST(FLOOR(LN(GREATEST(row_count, 1)) * 1e12 + 0.5) AS BIGINT) AS log_rows
FROM (
  SELECT
    ladder,
    level,
    id,
    COUNT(*) AS leaves,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM (
    SELECT
      1 AS ladder,
      UNNEST([0, 1, 2]) AS level,
      UNNEST([id_0, id_1, CAST(0 AS UINTEGER)]) AS id,
      row_count
    FROM temp.main."sqlgen_ladder_1"
    WHERE is_kept
    UNION ALL
    SELECT
      2 AS ladder,
      UNNEST([0, 1, 2]) AS level,
      UNNEST([id_0, id_1, CAST(0 AS UINTEGER)]) AS id,
      row_count
    FROM temp.main."sqlgen_ladder_2"
    WHERE is_kept
  ) AS leaf
  GROUP BY ladder, level, id
) AS label
