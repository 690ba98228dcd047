(SELECT DISTINCT CAST("source"."zip" AS VARCHAR) COLLATE C AS value FROM "memory"."main"."patients" AS source)
