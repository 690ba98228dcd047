CAST("source"."tags" AS BIGINT[])
