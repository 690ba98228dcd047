CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_label" AS
WITH rung AS (
  SELECT
    1 AS ladder,
    UNNEST([0, 1, 2]) AS level,
    UNNEST([id_0, id_1, CAST(0 AS UINTEGER)]) AS id,
    UNNEST([id_1, CAST(0 AS UINTEGER), CAST(0 AS UINTEGER)]) AS id_above,
    UNNEST([label_0, label_1, CAST('*' AS VARCHAR) COLLATE C]) AS label,
    row_count
  FROM temp.main."sqlgen_rung_1" AS rung
  WHERE is_kept
  UNION ALL
  SELECT
    2 AS ladder,
    UNNEST([0, 1, 2]) AS level,
    UNNEST([id_0, id_1, CAST(0 AS UINTEGER)]) AS id,
    UNNEST([id_1, CAST(0 AS UINTEGER), CAST(0 AS UINTEGER)]) AS id_above,
    UNNEST([label_0, label_1, CAST('*' AS VARCHAR) COLLATE C]) AS label,
    row_count
  FROM temp.main."sqlgen_rung_2" AS rung
  WHERE is_kept
),
label AS (
  SELECT
    ladder,
    level,
    id,
    MIN(id_above) AS id_above,
    MIN(label) AS label,
    COUNT(*) AS leaves,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM rung
  GROUP BY ladder, level, id
),
beside AS (
  SELECT
    *,
    CAST(SUM(leaves) OVER (PARTITION BY ladder, level, id_above) AS BIGINT) AS leaves_above,
    CAST(SUM(row_count) OVER (PARTITION BY ladder, level, id_above) AS BIGINT) AS rows_above
  FROM label
),
measured AS (
  SELECT
    *,
    CAST(FLOOR(LN(GREATEST(leaves, 1)) * 1e12 + 0.5) AS BIGINT) AS log_leaves,
    CAST(FLOOR(LN(GREATEST(row_count, 1)) * 1e12 + 0.5) AS BIGINT) AS log_rows,
    CAST(FLOOR(LN(GREATEST(rows_above, 1)) * 1e12 + 0.5) AS BIGINT) AS log_rows_above
  FROM beside
)
SELECT
  ladder,
  level,
  id,
  label,
  leaves,
  log_leaves,
  log_rows,
  CAST(leaves_above - leaves AS HUGEINT) * CASE ladder WHEN 1 THEN 1000000000 WHEN 2 THEN 333333333 END AS saved,
  DENSE_RANK() OVER (PARTITION BY ladder ORDER BY label ASC NULLS FIRST) AS shown
FROM measured
