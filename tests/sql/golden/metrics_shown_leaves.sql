(
  SELECT leaf.value, name.label
  FROM (
    SELECT
      value_1 AS value,
      UNNEST(RANGE(LEN(labels))) AS level,
      UNNEST(labels) AS label
    FROM temp.main."sqlgen_shown_leaf"
    WHERE number = 1 AND is_kept
  ) AS leaf
  JOIN (
    SELECT label, level, leaves, log_leaves, log_rows
    FROM temp.main."sqlgen_shown_label"
    WHERE number = 1
      AND level = 0
  ) AS name
    ON leaf.level = name.level
    AND leaf.label IS NOT DISTINCT FROM name.label
)
