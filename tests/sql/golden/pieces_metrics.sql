-- metrics/label_share
(
  SELECT
    label AS label,
    CAST(COUNT(*) FILTER (WHERE COALESCE(CAST(("value" > 24) AS TEXT) = 'true', FALSE)) AS DOUBLE) / COUNT(*) AS share
  FROM (
    SELECT leaf.value, name.label
    FROM (
      SELECT
        value_2 AS value,
        UNNEST(RANGE(LEN(labels))) AS level,
        UNNEST(labels) AS label
      FROM temp.main."sqlgen_shown_leaf"
      WHERE number = 2 AND is_kept
    ) AS leaf
    JOIN (
      SELECT label, level, leaves, log_leaves, log_rows
      FROM temp.main."sqlgen_shown_label"
      WHERE number = 2
        AND shown_rows > 0
        AND shown_rows <= source_rows
      QUALIFY ROW_NUMBER() OVER (PARTITION BY label ORDER BY leaves DESC, level ASC) = 1
    ) AS name
      ON leaf.level = name.level
      AND leaf.label IS NOT DISTINCT FROM name.label
  ) AS leaf
  GROUP BY label
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
      value_2 AS value,
      UNNEST(RANGE(LEN(labels))) AS level,
      UNNEST(labels) AS label
    FROM temp.main."sqlgen_shown_leaf"
    WHERE number = 2 AND is_kept
  ) AS leaf
  JOIN (
    SELECT label, level, leaves, log_leaves, log_rows
    FROM temp.main."sqlgen_shown_label"
    WHERE number = 2
      AND shown_rows > 0
      AND shown_rows <= source_rows
    QUALIFY ROW_NUMBER() OVER (PARTITION BY label ORDER BY leaves DESC, level ASC) = 1
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

-- metrics/shown_unknown
(
  SELECT number, label
  FROM temp.main."sqlgen_shown_label" AS shown
  WHERE number IN (1, 2)
    AND level IS NULL
    AND label IS NOT NULL
    AND NOT EXISTS (
      SELECT 1
      FROM temp.main."sqlgen_shown_leaf" AS leaf
      WHERE NOT leaf.is_kept AND leaf.number = shown.number AND leaf.labels[1] = shown.label
    )
)

-- metrics/span_share
(
  WITH met AS (
    SELECT place, is_met, SUM(is_met) OVER (ORDER BY place ASC) AS met_to
    FROM (
      SELECT place, CAST(COALESCE(CAST(("value" > 24) AS TEXT) = 'true', FALSE) AS BIGINT) AS is_met
      FROM (
        SELECT place, value_2 AS value
        FROM temp.main."sqlgen_shown_place"
        WHERE number = 2
      ) AS leaf
    ) AS leaf
  )
  SELECT
    span.label,
    CAST(SUM(last_leaf.met_to - first_leaf.met_to + first_leaf.is_met) AS DOUBLE)
      / SUM(span.last_place - span.first_place + 1) AS share
  FROM temp.main."sqlgen_shown_span" AS span
  JOIN met AS first_leaf
    ON span.first_place = first_leaf.place
  JOIN met AS last_leaf
    ON span.last_place = last_leaf.place
  WHERE span.number = 2
  GROUP BY span.label
)
