SELECT
  list,
  MIN(LEN(fields)) AS field_count,
  COUNT(*) AS line_count,
  MIN(fields[-1]) AS least_label,
  MAX(fields[-1]) AS greatest_label,
  COUNT(*) FILTER (WHERE fields[1] IS NULL) AS valueless_lines,
  COUNT(*) FILTER (WHERE is_mistyped) AS mistyped_lines,
  COUNT(*) FILTER (WHERE LIST_COUNT(fields[2:]) < LEN(fields) - 1 OR (LIST_CONTAINS(fields[2:], ''))) AS unlabelled_lines
FROM (
  SELECT
    0 AS list,
    FALSE AS is_mistyped,
    [UNPACK(CAST(COLUMNS(*) AS VARCHAR) COLLATE C)] AS fields
  FROM "memory"."main"."zips" AS line (field_0)
) AS line
GROUP BY list
