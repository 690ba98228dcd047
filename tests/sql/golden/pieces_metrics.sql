-- metrics/label_share
(
  SELECT
    id_0 AS label,
    CAST(COUNT(*) FILTER (WHERE COALESCE(CAST(("value" > '4') AS TEXT) = 'true', FALSE)) AS DOUBLE) / COUNT(*) AS share
  FROM (SELECT * FROM temp.main."sqlgen_ladder_1" WHERE is_kept) AS leaf
  GROUP BY id_0
)

-- metrics/meets_masked
CASE
  WHEN node_class.is_shown THEN cell.v2 IN (
    SELECT id_0
    FROM temp.main."sqlgen_ladder_4"
    WHERE COALESCE(CAST(("value" > 2) AS TEXT) = 'true', FALSE)
  )
  ELSE (
    SELECT COALESCE(CAST(("value" > 2) AS TEXT) = 'true', FALSE)
    FROM (SELECT (SELECT value FROM temp.main."sqlgen_ladder_4" WHERE FALSE) AS value) AS masked
  )
END

-- metrics/shown_class
(
  SELECT
    q1,
    q2,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM temp.main."sqlgen_shown_cell"
  GROUP BY q1, q2
)

-- metrics/shown_leaves
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

-- metrics/shown_name
(
  SELECT label, level, leaves, log_leaves, log_rows
  FROM temp.main."sqlgen_shown_label"
  WHERE number = 1
    AND level = 0
)
