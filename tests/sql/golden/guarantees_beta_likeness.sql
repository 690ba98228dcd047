SELECT
  class_id,
  BOOL_OR(
    value_count * CAST(reference_rows AS HUGEINT) * 1 > class_size * CAST(reference_count AS HUGEINT) * 6
    OR value_count * CAST(reference_rows AS HUGEINT) * 1000000000000 > class_size * CAST(reference_count AS HUGEINT) * CAST(FLOOR((1 - COALESCE(LN(NULLIF(reference_count, 0) / reference_rows), 0)) * 1e12) AS HUGEINT)
  ) AS fails,
  CASE
    WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
    ELSE MAX(GREATEST(0, (value_count / class_size) / NULLIF(reference_count / reference_rows, 0) - 1))
  END AS figure,
  MAX(CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END) AS repair
FROM (
  SELECT
    *,
    drifted_share * LEAST(6 / 1, 1 - COALESCE(LN(NULLIF(drifted_share, 0)), 0)) AS most_share
  FROM (
    SELECT
      *,
      LEAST(1, reference_count / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0)) AS drifted_share
    FROM compared_2
  ) AS drifted_value
) AS bounded_value
GROUP BY class_id, class_size
