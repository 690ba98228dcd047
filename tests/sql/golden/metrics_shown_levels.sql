WITH source_log AS (
  SELECT number, own_logs, log_all
  FROM (
    SELECT
      1 AS ladder,
      CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * CAST(FLOOR(LN(GREATEST(row_count, 1)) * 1e12 + 0.5) AS BIGINT)), 0) AS HUGEINT) AS own_logs,
      CAST(FLOOR(LN(GREATEST(COALESCE(SUM(row_count), 0), 1)) * 1e12 + 0.5) AS BIGINT) AS log_all
    FROM (SELECT *, value_1 AS value FROM temp.main."sqlgen_shown_leaf" WHERE number = 1)
    UNION ALL
    SELECT
      2 AS ladder,
      CAST(COALESCE(SUM(CAST(row_count AS HUGEINT) * CAST(FLOOR(LN(GREATEST(row_count, 1)) * 1e12 + 0.5) AS BIGINT)), 0) AS HUGEINT) AS own_logs,
      CAST(FLOOR(LN(GREATEST(COALESCE(SUM(row_count), 0), 1)) * 1e12 + 0.5) AS BIGINT) AS log_all
    FROM (SELECT *, value_2 AS value FROM temp.main."sqlgen_shown_leaf" WHERE number = 2)
  ) AS log (number, own_logs, log_all)
),
leaf_fault AS (
  SELECT
    number,
    COUNT(*) FILTER (WHERE is_unlabelled) AS unlabelled_values,
    0 AS repeated_values
  FROM temp.main."sqlgen_shown_leaf"
  GROUP BY number
),
shown_label AS (
  SELECT
    number,
    COUNT(*) AS shown_labels,
    COUNT(*) FILTER (WHERE highest IS NULL) AS unknown_labels,
    COUNT(*) FILTER (WHERE source_rows < shown_rows) AS overfull_labels
  FROM (
    SELECT
      number,
      label,
      MAX(level) AS highest,
      MAX(source_rows) AS source_rows,
      MAX(shown_rows) AS shown_rows
    FROM temp.main."sqlgen_shown_label"
    WHERE shown_rows > 0
    GROUP BY number, label
  ) AS label
  GROUP BY number
),
level_label AS (
  SELECT
    number,
    level,
    COUNT(*) FILTER (WHERE shown_rows > 0 AND shown_rows <= source_rows) AS fitting_labels,
    CAST(SUM(leaves) AS BIGINT) AS leaves,
    MAX(log_leaves) AS log_leaves,
    MAX(log_rows) AS log_rows
  FROM temp.main."sqlgen_shown_label"
  GROUP BY number, level
)
SELECT
  number,
  level,
  COALESCE(unlabelled_values, 0) AS unlabelled_values,
  COALESCE(repeated_values, 0) AS repeated_values,
  COALESCE(shown_labels, 0) AS shown_labels,
  COALESCE(unknown_labels, 0) AS unknown_labels,
  COALESCE(overfull_labels, 0) AS overfull_labels,
  own_logs,
  log_all,
  COALESCE(fitting_labels, 0) AS fitting_labels,
  COALESCE(leaves, 0) AS leaves,
  COALESCE(log_leaves, 0) AS log_leaves,
  COALESCE(log_rows, 0) AS log_rows
FROM (VALUES (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)) AS quasi_level (number, level)
JOIN source_log USING (number)
LEFT JOIN leaf_fault USING (number)
LEFT JOIN shown_label USING (number)
LEFT JOIN level_label USING (number, level)
