SELECT
      COALESCE(value_count.value, leaf.value) AS value,
      COALESCE(value_count.row_count, 0) AS row_count,
      leaf.value IS NOT NULL AS is_listed,
      leaf.label_1
    FROM (
      SELECT CAST("source"."zip" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
      FROM "memory"."main"."patients" AS source
      GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
    ) AS value_count
    FULL JOIN (
      SELECT DISTINCT
        TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
        NULLIF(CAST(field_1 AS VARCHAR) COLLATE C, '') AS label_1
      FROM "memory"."main"."zips" AS line (field_0, field_1)
      WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
    ) AS leaf
      ON value_count.value = leaf.value
