SELECT
  class_id,
  fails OR held_values < reference_values AS fails,
  CASE WHEN is_infinite OR held_values < reference_values THEN CAST('infinity' AS DOUBLE) ELSE LN(NULLIF(furthest, 0)) END AS figure,
  CASE WHEN held_lasting < lasting_values THEN class_size ELSE repair END AS repair
FROM (
  SELECT
    class_id,
    class_size,
    reference_values,
    COUNT(*) FILTER (WHERE reference_count > 0) AS held_values,
    COUNT(*) FILTER (WHERE reference_count > reference_drift) AS held_lasting,
    lasting_values,
    BOOL_OR(reference_count = 0) AS is_infinite,
    BOOL_OR(
      value_count * CAST(reference_rows AS HUGEINT) * 50000000000000 > class_size * CAST(reference_count AS HUGEINT) * 1004276846159383
      OR class_size * CAST(reference_count AS HUGEINT) * 50000000000000 > value_count * CAST(reference_rows AS HUGEINT) * 1004276846159383
    ) AS fails,
    MAX(GREATEST(
      (value_count / class_size) / NULLIF(reference_count / reference_rows, 0),
      (reference_count / reference_rows) / (value_count / class_size)
    )) AS furthest,
    MAX(GREATEST(
      CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END,
      CASE WHEN least_share > 0 THEN class_size - value_count / least_share ELSE 0 END
    )) AS repair
  FROM (
    SELECT
      *,
      reference_count * (1004276846159383 / 50000000000000) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share,
      (reference_count - reference_drift) / (1004276846159383 / 50000000000000) / reference_rows AS least_share
    FROM compared_2
  ) AS bounded_value
  GROUP BY class_id, class_size, reference_values, lasting_values
) AS class_ratio
