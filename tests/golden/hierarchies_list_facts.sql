SELECT
  0 AS list,
  COUNT(*) AS line_count,
  MIN(CAST("field_1" AS VARCHAR)) AS least_label,
  MAX(CAST("field_1" AS VARCHAR)) AS greatest_label,
  COUNT(*) FILTER (WHERE field_0 IS NULL) AS valueless_lines,
  COUNT(*) FILTER (WHERE field_0 IS NOT NULL AND TRY_CAST(field_0 AS VARCHAR) IS NULL) AS mistyped_lines,
  COUNT(*) FILTER (WHERE FALSE OR COALESCE(CAST(field_1 AS VARCHAR), '') = '') AS unlabelled_lines
FROM "memory"."main"."zips" AS line (field_0, field_1)
