CREATE TEMPORARY TABLE temp.main."sqlgen_shown_span_label" AS
WITH placed_label AS (
  SELECT *, label_id IS DISTINCT FROM LAG(label_id) OVER (PARTITION BY number, level ORDER BY place ASC) AS is_other
  FROM (
    SELECT number, place, level, DENSE_RANK() OVER (PARTITION BY number, level ORDER BY label ASC NULLS FIRST) AS label_id
    FROM (
      SELECT number, place, UNNEST(RANGE(LEN(labels))) AS level, UNNEST(labels) AS label
      FROM temp.main."sqlgen_shown_place"
    ) AS leaf
  ) AS leaf
),
run AS (
  SELECT
    number,
    place,
    level,
    label_id,
    SUM(CASE WHEN is_other THEN 1 ELSE 0 END) OVER (PARTITION BY number, level ORDER BY place ASC) AS run_id
  FROM placed_label
),
span_level AS (
  SELECT number, label, MIN(level) AS level
  FROM (
    SELECT span.number, span.label, first_run.level
    FROM temp.main."sqlgen_shown_span" AS span
    JOIN run AS first_run
      ON span.number = first_run.number AND span.first_place = first_run.place
    JOIN run AS last_run
      ON span.number = last_run.number AND span.last_place = last_run.place AND first_run.level = last_run.level
    GROUP BY span.number, span.label, first_run.level
    HAVING BOOL_AND(first_run.run_id = last_run.run_id) AND MIN(first_run.label_id) = MAX(first_run.label_id)
  ) AS level_of_span
  GROUP BY number, label
),
counted AS (
  SELECT
    span.number,
    span.label,
    CAST(SUM(span.last_place - span.first_place + 1) AS BIGINT) AS leaves,
    CAST(SUM(last_leaf.rows_to - first_leaf.rows_to + first_leaf.row_count) AS BIGINT) AS source_rows
  FROM temp.main."sqlgen_shown_span" AS span
  JOIN temp.main."sqlgen_shown_place" AS first_leaf
    ON span.number = first_leaf.number AND span.first_place = first_leaf.place
  JOIN temp.main."sqlgen_shown_place" AS last_leaf
    ON span.number = last_leaf.number AND span.last_place = last_leaf.place
  GROUP BY span.number, span.label
)
SELECT
  number,
  label,
  span_level.level,
  counted.leaves,
  CAST(FLOOR(LN(GREATEST(counted.leaves, 1)) * 1e12 + 0.5) AS BIGINT) AS log_leaves,
  CAST(FLOOR(LN(GREATEST(counted.source_rows, 1)) * 1e12 + 0.5) AS BIGINT) AS log_rows,
  counted.source_rows,
  shown_label.shown_rows
FROM counted
JOIN span_level USING (number, label)
JOIN temp.main."sqlgen_shown_label" AS shown_label USING (number, label)
