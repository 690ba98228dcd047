WITH labelled AS (
  SELECT
    *,
    CASE
      WHEN value IS NULL THEN NULL
      WHEN label_1 IS NULL THEN 1
    END AS missing_level
  FROM (
    SELECT
      value,
      row_count,
      CASE
              WHEN LENGTH(CAST(value AS VARCHAR)) > 3
                THEN SUBSTRING(CAST(value AS VARCHAR), 1, 3)
                  || REPEAT('*', LENGTH(CAST(value AS VARCHAR)) - 3)
              ELSE CAST(value AS VARCHAR)
            END AS label_1
    FROM (
      SELECT CAST("source"."zip" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
      FROM (SELECT value AS "zip" FROM temp.main."sqlgen_ladder_1") AS source
      GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
    ) AS value_count
  ) AS labels
),
leaf AS (
  SELECT
    value,
    row_count,
    missing_level,
    TRUE AS is_kept,
    value AS final_0, CAST(value AS VARCHAR) COLLATE C AS text_0,
    (CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_1
        END) COLLATE C AS final_1, CAST((CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_1
        END) COLLATE C AS VARCHAR) COLLATE C AS text_1
  FROM labelled
)
SELECT
  value,
  row_count,
  missing_level,
  is_kept,
  text_0 AS label_0,
  CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
  text_1 AS label_1,
  CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1
FROM leaf
