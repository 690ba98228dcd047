block_1 AS MATERIALIZED (
  SELECT
    class_id,
    ROW_NUMBER() OVER () AS block_id,
    CAST(SUM(row_count) AS BIGINT) AS block_size
  FROM class_cell_0
  GROUP BY class_id
),
histogram_1 AS MATERIALIZED (
  SELECT
    block.block_id AS class_id,
    block.block_size AS class_size,
    cell.v1 AS value_id,
    CAST(SUM(cell.row_count) AS BIGINT) AS value_count
  FROM class_cell_0 AS cell
  JOIN block_1 AS block
    ON cell.class_id = block.class_id
  GROUP BY block.block_id, block.block_size, cell.v1
)
