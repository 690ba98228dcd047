SELECT
  COALESCE(BOOL_OR(CAST("source"."sqlgen_part_1" AS BOOLEAN) AND CAST("source"."sqlgen_part_2" AS BOOLEAN)), FALSE)
FROM patients AS source
