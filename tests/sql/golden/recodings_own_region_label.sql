CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_label" AS
SELECT
  *,
  DENSE_RANK() OVER (PARTITION BY ladder ORDER BY label ASC NULLS FIRST) AS shown
FROM (
  SELECT ladder, level, id, label, leaves, log_leaves, log_rows, label AS span, level AS shown_level
  FROM temp.main."sqlgen_region_label"
  WHERE level < 1000
  UNION ALL
  SELECT
    quasi AS ladder,
    1000 AS level,
    id,
    label,
    leaves,
    CAST(FLOOR(LN(GREATEST(leaves, 1)) * 1e12 + 0.5) AS BIGINT) AS log_leaves,
    CAST(FLOOR(LN(GREATEST(source_rows, 1)) * 1e12 + 0.5) AS BIGINT) AS log_rows,
    span,
    shown_level
  FROM temp.main."sqlgen_own_label"
) AS label
