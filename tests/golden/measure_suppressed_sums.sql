WITH
node_class AS (
  SELECT *, NOT (class_size < 3) AS is_released
  FROM (
    SELECT
      CAST(SUM(row_count) AS BIGINT) AS class_size
    FROM temp.main."sqlgen_cell"
    HAVING COUNT(*) > 0
  ) AS class_size
)
SELECT
  CAST(COALESCE(SUM(class_size), 0) AS BIGINT) AS suppressed_rows
FROM node_class
WHERE NOT is_released
