SELECT
  verdict.class_id,
  verdict.fails OR rarest * 100 < 1 * CAST(class_size AS HUGEINT) AS fails,
  verdict.figure,
  GREATEST(verdict.repair, class_size - rarest / (1 / 100)) AS repair
FROM (
  SELECT
    class_id,
    COALESCE(CAST(leading_count AS HUGEINT) * 1 >= 30 * CAST(tail AS HUGEINT), FALSE) AS fails,
    CASE
      WHEN leading_count IS NULL THEN 0
      WHEN tail = 0 THEN CAST('infinity' AS DOUBLE)
      ELSE leading_count / tail
    END AS figure,
    GREATEST(COALESCE(leading_count - tail * (30 / 1), 0), 0) AS repair
  FROM (
    SELECT
      class_id,
      CAST(leading_count AS HUGEINT) AS leading_count,
      CAST(CASE
        WHEN LEN(largest) < 1 OR leading_count >= largest[1] THEN class_size - LIST_SUM(largest)
        ELSE class_size - LIST_SUM(largest) + largest[1] - leading_count
      END AS HUGEINT) AS tail
    FROM (
      SELECT
        class_id,
        class_size,
        MAX(value_count) FILTER (WHERE value_id NOT IN (
          SELECT id_0
          FROM temp.main."sqlgen_ladder_3"
          WHERE value IN (TRY_CAST('flu' AS VARCHAR))
        )) AS leading_count,
        MAX(value_count, 1) AS largest
      FROM histogram_1
      GROUP BY class_id, class_size
    ) AS class_count
  ) AS class_tail
) AS verdict
JOIN (
  SELECT
    class_id,
    class_size,
    CAST(CASE
      WHEN COUNT(*) FILTER (WHERE value_id IN (
        SELECT id_0
        FROM temp.main."sqlgen_ladder_3"
        WHERE value IN (TRY_CAST('flu' AS VARCHAR), TRY_CAST('ulcer' AS VARCHAR))
      )) < 2 THEN 0
      ELSE MIN(value_count) FILTER (WHERE value_id IN (
        SELECT id_0
        FROM temp.main."sqlgen_ladder_3"
        WHERE value IN (TRY_CAST('flu' AS VARCHAR), TRY_CAST('ulcer' AS VARCHAR))
      ))
    END AS HUGEINT) AS rarest
  FROM histogram_1
  GROUP BY class_id, class_size
) AS protected_count
  ON verdict.class_id = protected_count.class_id
