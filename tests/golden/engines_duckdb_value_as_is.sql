"source"."age"
