SELECT
  COALESCE(BOOL_OR(COALESCE(CAST("source"."sqlgen_part_1" AS BOOLEAN), FALSE) AND COALESCE(CAST("source"."sqlgen_part_2" AS BOOLEAN), FALSE)), FALSE)
FROM patients AS source
