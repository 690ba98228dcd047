CREATE TEMPORARY TABLE temp.main."sqlgen_leaf" AS
WITH value_count AS (
  SELECT 1 AS ladder, CAST("source"."zip" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
  FROM "memory"."main"."patients" AS source
  GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
  UNION ALL
  SELECT 2 AS ladder, CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
  FROM "memory"."main"."patients" AS source
  GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
),
line AS (
  SELECT DISTINCT
    list,
    fields[1] AS value,
    fields[2] AS label_1,
    fields[3] AS label_2
  FROM (
    SELECT list, fields[:[3, 2][list]] AS fields
    FROM temp.main."sqlgen_line"
    WHERE list IN (1, 2)
  ) AS line_below_top
),
leaf AS (
  SELECT
    COALESCE(value_count.ladder, line.list) AS ladder,
    COALESCE(value_count.value, line.value) AS value,
    COALESCE(value_count.row_count, 0) AS row_count,
    value_count.value IS NOT NULL AND line.value IS NULL AS is_uncovered,
    COALESCE(line.label_1, CASE WHEN value_count.ladder = 1 AND value_count.value IS NULL THEN '*' WHEN value_count.ladder = 2 AND value_count.value IS NOT NULL THEN '*' END) AS label_1,
    COALESCE(line.label_2, CASE WHEN value_count.ladder = 1 AND value_count.value IS NULL THEN '*' END) AS label_2
  FROM value_count
  FULL JOIN line
    ON value_count.ladder = line.list
    AND value_count.value = line.value
)
SELECT
  ladder,
  [3, 2][ladder] AS height,
  value,
  row_count,
  CASE WHEN is_uncovered THEN 1 END AS missing_level,
  NOT (ladder = 1 AND is_uncovered) AND TRUE AS is_kept,
  CAST(DENSE_RANK() OVER (PARTITION BY ladder ORDER BY value ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
  CAST(DENSE_RANK() OVER (PARTITION BY ladder ORDER BY label_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1,
  CAST(DENSE_RANK() OVER (PARTITION BY ladder ORDER BY label_2 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_2
FROM leaf
