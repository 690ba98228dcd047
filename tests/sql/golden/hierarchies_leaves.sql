SELECT DISTINCT
        TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
        NULLIF(CAST(field_1 AS VARCHAR) COLLATE C, '') AS label_1
      FROM "memory"."main"."zips" AS line (field_0, field_1)
      WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
