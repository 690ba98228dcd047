(
  SELECT
    q1,
    q2,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM temp.main."sqlgen_shown_cell"
  GROUP BY q1, q2
)
