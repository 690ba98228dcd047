(
  SELECT DISTINCT
    (CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_1
        END) COLLATE C AS field_1,
    (CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_2
        END) COLLATE C AS field_2
  FROM (
    SELECT
        *,
        CASE
          WHEN value IS NULL THEN NULL
          WHEN label_1 IS NULL THEN 1
          WHEN label_2 IS NULL THEN 2
          WHEN NOT is_listed THEN 3
        END AS missing_level
      FROM (
        SELECT
          COALESCE(value_count.value, leaf.value) AS value,
          COALESCE(value_count.row_count, 0) AS row_count,
          leaf.value IS NOT NULL AS is_listed,
          leaf.label_1,
          leaf.label_2
        FROM (
          SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
          FROM (SELECT CAST(NULL AS VARCHAR) AS "disease" WHERE FALSE) AS source
          GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
        ) AS value_count
        FULL JOIN (
          SELECT DISTINCT
            TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
            CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
            CAST(field_2 AS VARCHAR) COLLATE C AS label_2
          FROM (VALUES
            ('flu', 'a', 'ill', '*'),
            ('ulcer', 'b', 'ill', '*')
          ) AS line (field_0, field_1, field_2, field_3)
          WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
        ) AS leaf
          ON value_count.value = leaf.value
      ) AS labels
  ) AS labelled
  WHERE (CASE
      WHEN value IS NULL THEN NULL
      WHEN missing_level IS NOT NULL THEN NULL
      ELSE label_1
    END) COLLATE C IS NOT NULL
)
