SELECT
  value_id,
  place,
  cumulative - reference_count AS cumulative_before,
  cumulative,
  CAST(SUM(CAST(cumulative AS HUGEINT)) OVER (ORDER BY place ASC) - cumulative AS HUGEINT) AS prefix_before
FROM (
  SELECT
    value_id,
    reference_count,
    ROW_NUMBER() OVER (ORDER BY position ASC) AS place,
    CAST(SUM(reference_count) OVER (ORDER BY position ASC) AS BIGINT) AS cumulative
  FROM (
    SELECT
      value.id_0 AS value_id,
      value.position,
      COALESCE(reference.reference_count, 0) AS reference_count
    FROM value_1 AS value
    LEFT JOIN reference_1 AS reference
      ON value.id_0 = reference.value_id
    WHERE reference.reference_count > 0
  ) AS occurring_value
) AS placed_value
