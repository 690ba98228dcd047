node_class AS (
  SELECT
    CAST((word_1 >> 0) & 3 AS UTINYINT) AS key_1,
    CAST((word_1 >> 6) & 1 AS UTINYINT) AS key_2,
    class_size,
    NOT (class_size < 3) AS is_released
  FROM (
    SELECT
      word_1 & 67 AS word_1,
      CAST(SUM(row_count) AS BIGINT) AS class_size
    FROM temp.main."sqlgen_cell"
    GROUP BY word_1 & 67
  ) AS class_size
)
