SELECT
  COUNT(*) AS line_count,
  MIN(CAST("field_1" AS VARCHAR)) AS least_label,
  MAX(CAST("field_1" AS VARCHAR)) AS greatest_label
FROM "memory"."main"."zips" AS line (field_0, field_1)
