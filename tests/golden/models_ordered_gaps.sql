SELECT
  histogram.class_id,
  histogram.class_size,
  position.place AS first_place,
  position.prefix - position.cumulative AS prefix_before,
  LEAD(position.place) OVER class_order AS next_place,
  LEAD(position.prefix - position.cumulative) OVER class_order AS prefix_end,
  CAST(SUM(histogram.value_count) OVER class_order AS BIGINT) AS class_cumulative,
  ROW_NUMBER() OVER class_order = 1 AS is_first
FROM compared_1 AS histogram
JOIN position
  ON histogram.value_id = position.value_id
WINDOW class_order AS (PARTITION BY histogram.class_id ORDER BY position.place)
