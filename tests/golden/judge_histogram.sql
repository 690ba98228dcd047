histogram_1 AS MATERIALIZED (
  SELECT
    class_id,
    class_size,
    v1 AS value_id,
    CAST(SUM(row_count) AS BIGINT) AS value_count
  FROM class_cell_0
  GROUP BY class_id, class_size, v1
)
