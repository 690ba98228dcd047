CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_taken" AS
WITH shown_label AS (
  SELECT ladder, shown, CAST(SUM(class_size) AS BIGINT) AS shown_rows
  FROM (
    SELECT
      UNNEST([1, 2]) AS ladder,
      UNNEST([key_1, key_2]) AS shown,
      class_size
    FROM temp.main."sqlgen_region_class"
    WHERE is_released
  ) AS class_label
  GROUP BY ladder, shown
),
rung AS (
  SELECT
    1 AS ladder,
    UNNEST([0, 1, 2]) AS level,
    UNNEST([id_0, id_1, CAST(0 AS UINTEGER)]) AS id,
    row_count
  FROM temp.main."sqlgen_rung_1" AS rung
  WHERE is_kept
  UNION ALL
  SELECT
    2 AS ladder,
    UNNEST([0, 1, 2]) AS level,
    UNNEST([id_0, id_1, CAST(0 AS UINTEGER)]) AS id,
    row_count
  FROM temp.main."sqlgen_rung_2" AS rung
  WHERE is_kept
),
known_label AS (
  SELECT
    label.ladder,
    label.level,
    label.shown,
    COUNT(*) AS leaves,
    CAST(SUM(rung.row_count) AS BIGINT) AS source_rows
  FROM rung
  JOIN temp.main."sqlgen_region_label" AS label
    ON rung.ladder = label.ladder
    AND rung.level = label.level
    AND rung.id = label.id
  GROUP BY label.ladder, label.level, label.shown
),
possible_label AS (
  SELECT ladder, level, shown, leaves, source_rows, shown_rows <= source_rows AS fits
  FROM known_label
  JOIN shown_label USING (ladder, shown)
),
whole_level AS (
  SELECT
    ladder,
    COALESCE(MIN(level) FILTER (WHERE CASE ladder WHEN 1 THEN level BETWEEN 0 AND 2 WHEN 2 THEN level BETWEEN 0 AND 2 END), MIN(level)) AS level
  FROM (
    SELECT ladder, level, COUNT(*) AS label_count
    FROM possible_label
    WHERE fits
    GROUP BY ladder, level
  ) AS ladder_level
  JOIN (
    SELECT ladder, COUNT(*) AS label_count
    FROM shown_label
    GROUP BY ladder
  ) AS shown_labels USING (ladder, label_count)
  GROUP BY ladder
)
SELECT
  possible_label.ladder,
  possible_label.shown,
  possible_label.level,
  possible_label.leaves,
  CAST(FLOOR(LN(GREATEST(possible_label.leaves, 1)) * 1e12 + 0.5) AS BIGINT) AS log_leaves,
  CAST(FLOOR(LN(GREATEST(possible_label.source_rows, 1)) * 1e12 + 0.5) AS BIGINT) AS log_rows
FROM possible_label
LEFT JOIN whole_level
  ON possible_label.ladder = whole_level.ladder
WHERE whole_level.level IS NULL OR possible_label.level = whole_level.level
QUALIFY ROW_NUMBER() OVER (
  PARTITION BY possible_label.ladder, possible_label.shown
  ORDER BY possible_label.fits DESC, possible_label.leaves DESC, possible_label.level ASC
) = 1
