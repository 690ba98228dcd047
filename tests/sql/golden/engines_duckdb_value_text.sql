CAST("source"."zip" AS VARCHAR) COLLATE C
