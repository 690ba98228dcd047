SELECT
  class_id,
  class_size,
  CASE WHEN reference_rows > 0 THEN GREATEST(0, (
    SUM(share * LN(2 * share / (share + reference_share)))
    + COALESCE(SUM(reference_share * LN(2 * NULLIF(reference_share, 0) / (share + reference_share))), 0)
    + (reference_rows - SUM(reference_count)) / reference_rows * LN(2)
  ) / 2) END AS distance,
  LN(2) AS most
FROM (
  SELECT
    *,
    value_count / class_size AS share,
    reference_count / reference_rows AS reference_share
  FROM compared_2
) AS share
GROUP BY class_id, class_size, reference_rows
