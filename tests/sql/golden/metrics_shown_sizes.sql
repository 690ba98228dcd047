SELECT
  (SELECT COUNT(*) FROM "memory"."main"."patients" AS source) AS source_rows,
  CAST(COALESCE(SUM(class_size), 0) AS BIGINT) AS released_rows,
  COUNT(*) AS class_count,
  CAST(COALESCE(SUM(CAST(class_size AS HUGEINT) * class_size), 0) AS HUGEINT) AS squares,
  CAST(COALESCE(SUM(CAST(FLOOR(class_size * LN(class_size) * 1e12 + 0.5) AS HUGEINT)), 0) AS HUGEINT) AS logs
FROM (
  SELECT
    q1,
    q2,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM temp.main."sqlgen_shown_cell"
  GROUP BY q1, q2
) AS class
