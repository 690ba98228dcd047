CREATE TEMPORARY TABLE temp.main."sqlgen_shown_label_1" AS
SELECT
  COALESCE(name.label, shown.label) AS label,
  name.level,
  name.leaves,
  CAST(FLOOR(LN(GREATEST(name.leaves, 1)) * 1e12 + 0.5) AS BIGINT) AS log_leaves,
  CAST(FLOOR(LN(GREATEST(name.source_rows, 1)) * 1e12 + 0.5) AS BIGINT) AS log_rows,
  name.source_rows,
  COALESCE(shown.shown_rows, 0) AS shown_rows
FROM (
  SELECT level, label, COUNT(*) AS leaves, CAST(SUM(row_count) AS BIGINT) AS source_rows
  FROM (
    SELECT value, row_count, 0 AS level, name_0 AS label
    FROM temp.main."sqlgen_shown_leaf_1"
    WHERE is_kept
    UNION ALL
    SELECT value, row_count, 1 AS level, name_1 AS label
    FROM temp.main."sqlgen_shown_leaf_1"
    WHERE is_kept
    UNION ALL
    SELECT value, row_count, 2 AS level, name_2 AS label
    FROM temp.main."sqlgen_shown_leaf_1"
    WHERE is_kept
  ) AS leaf
  GROUP BY level, label
) AS name
FULL JOIN (
  SELECT label, CAST(SUM(row_count) AS BIGINT) AS shown_rows
  FROM (
    SELECT CAST(q1 AS VARCHAR) COLLATE C AS label, row_count
    FROM temp.main."sqlgen_shown_cell" AS cell
  ) AS called
  GROUP BY label
) AS shown
  ON name.label IS NOT DISTINCT FROM shown.label
