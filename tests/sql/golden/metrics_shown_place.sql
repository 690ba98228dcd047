CREATE TEMPORARY TABLE temp.main."sqlgen_shown_place" AS
SELECT
  *,
  CAST(SUM(row_count) OVER (PARTITION BY number ORDER BY place ASC) AS BIGINT) AS rows_to
FROM (
  SELECT
    number,
    value_1,
    labels[1] AS text,
    ROW_NUMBER() OVER (ORDER BY labels[1] IS NOT NULL ASC NULLS FIRST, labels[2] COLLATE C ASC NULLS FIRST, labels[1] COLLATE C ASC NULLS FIRST) AS place,
    row_count,
    labels
  FROM temp.main."sqlgen_shown_leaf"
  WHERE number = 1 AND is_kept
  UNION ALL BY NAME
  SELECT
    number,
    value_2,
    labels[1] AS text,
    ROW_NUMBER() OVER (ORDER BY value_2 ASC NULLS FIRST) AS place,
    row_count,
    labels
  FROM temp.main."sqlgen_shown_leaf"
  WHERE number = 2 AND is_kept
) AS leaf
