CAST("audited"."weight" AS VARCHAR) COLLATE C
