COALESCE(CAST("source"."sqlgen_part_1" AS BOOLEAN), FALSE)
