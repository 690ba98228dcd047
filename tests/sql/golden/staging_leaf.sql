CREATE TEMPORARY TABLE temp.main."sqlgen_leaf" AS
WITH value_count AS (
  SELECT 1 AS ladder, CAST("source"."zip" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
  FROM "memory"."main"."patients" AS source
  GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
),
line AS (
  SELECT DISTINCT
    list,
    fields[1] AS value,
    fields[1 + 1] AS label_1
  FROM (
    SELECT list, fields[:[2][list]] AS fields
    FROM temp.main."sqlgen_line"
    WHERE list IN (1)
  ) AS line_below_top
),
leaf AS (
  SELECT
    COALESCE(value_count.ladder, line.list) AS ladder,
    COALESCE(value_count.value, line.value) AS value,
    COALESCE(value_count.row_count, 0) AS row_count,
    value_count.value IS NOT NULL AND line.value IS NULL AS is_uncovered,
    line.label_1 AS label_1
  FROM value_count
  FULL JOIN line
    ON value_count.ladder = line.list
    AND value_count.value = line.value
)
SELECT
  ladder,
  [2][ladder] AS height,
  value,
  row_count,
  CASE WHEN is_uncovered THEN 1 END AS missing_level,
  TRUE AS is_kept,
  CAST(DENSE_RANK() OVER (PARTITION BY ladder ORDER BY value ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
  CAST(DENSE_RANK() OVER (PARTITION BY ladder ORDER BY label_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1
FROM leaf
