CREATE TEMPORARY TABLE temp.main."sqlgen_shown_label" AS
WITH known_label AS (
  SELECT number, level, label, COUNT(*) AS leaves, CAST(SUM(row_count) AS BIGINT) AS source_rows
  FROM (
    SELECT number, row_count, UNNEST(RANGE(LEN(labels))) AS level, UNNEST(labels) AS label
    FROM temp.main."sqlgen_shown_leaf"
    WHERE is_kept
  ) AS leaf
  GROUP BY number, level, label
),
shown_label AS (
  SELECT number, label, CAST(SUM(row_count) AS BIGINT) AS shown_rows
  FROM (
    SELECT row_count, UNNEST([1, 2]) AS number, UNNEST([CAST(q1 AS VARCHAR) COLLATE C, CAST(q2 AS VARCHAR) COLLATE C]) AS label
    FROM temp.main."sqlgen_shown_cell" AS cell
  ) AS cell
  GROUP BY number, label
)
SELECT
  COALESCE(known_label.number, shown_label.number) AS number,
  COALESCE(known_label.label, shown_label.label) AS label,
  known_label.level,
  known_label.leaves,
  CAST(FLOOR(LN(GREATEST(known_label.leaves, 1)) * 1e12 + 0.5) AS BIGINT) AS log_leaves,
  CAST(FLOOR(LN(GREATEST(known_label.source_rows, 1)) * 1e12 + 0.5) AS BIGINT) AS log_rows,
  known_label.source_rows,
  COALESCE(shown_label.shown_rows, 0) AS shown_rows
FROM known_label
FULL JOIN shown_label
  ON known_label.number = shown_label.number
  AND known_label.label IS NOT DISTINCT FROM shown_label.label
