node_class AS (
  SELECT *, NOT (class_size < 3) AS is_released
  FROM (
    SELECT
      CAST(SUM(row_count) AS BIGINT) AS class_size
    FROM temp.main."sqlgen_cell"
    HAVING COUNT(*) > 0
  ) AS class_size
)
