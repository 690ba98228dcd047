histogram_1 AS (
  SELECT
    class_id,
    class_size,
    v1 AS value_id,
    row_count AS value_count
  FROM class_cell_0
),
sized_1 AS (
  SELECT class_id, class_size
  FROM class_0
)
