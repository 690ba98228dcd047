CAST(COUNT(*) - COUNT("source"."name") AS VARCHAR)
