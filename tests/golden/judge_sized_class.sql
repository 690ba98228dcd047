node_class AS (
  SELECT *, NOT (class_size < 3) AS is_released
  FROM (
    SELECT
      "q1_0" AS key_1,
      "q2_1" AS key_2,
      CAST(SUM(row_count) AS BIGINT) AS class_size
    FROM temp.main."sqlgen_cell"
    GROUP BY "q1_0", "q2_1"
  ) AS class_size
)
