SELECT
  class_id,
  largest * 10 > 9 * CAST(class_size AS HUGEINT) AS fails,
  largest / class_size AS figure,
  (largest * 10 - class_size * CAST(9 AS HUGEINT)) / 1 AS repair
FROM (
  SELECT
    class_id,
    class_size,
    CAST(COALESCE(MAX(value_count) FILTER (WHERE value_id IN (
      SELECT id_0
      FROM temp.main."sqlgen_ladder_3"
      WHERE value IN (TRY_CAST('flu' AS VARCHAR))
    )), 0) AS HUGEINT) AS largest
  FROM histogram_1
  GROUP BY class_id, class_size
) AS class_share
