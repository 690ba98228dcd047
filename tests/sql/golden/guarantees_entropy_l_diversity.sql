SELECT
  class_id,
  class_size * entropy < class_size * LN(1.1) * (1 - 1e-9) AS fails,
  EXP(entropy) AS figure,
  class_size * (1 - 2e-9 - entropy / LN(1.1)) AS repair
FROM (
  SELECT
    class_id,
    class_size,
    GREATEST(0, LN(class_size) - SUM(value_count * LN(value_count)) / class_size) AS entropy
  FROM histogram_1
  GROUP BY class_id, class_size
) AS class_entropy
