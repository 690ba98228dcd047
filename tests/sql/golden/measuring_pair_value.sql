CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_pair_value" AS
SELECT
  value,
  ROW_NUMBER() OVER (ORDER BY value ASC NULLS FIRST) - 1 AS value_number,
  MAX(most_rows) OVER () AS most_rows
FROM (
  SELECT
    CAST("counted"."disease" AS VARCHAR) COLLATE C AS value,
    MAX(CAST("row_count" AS BIGINT)) AS most_rows
  FROM "memory"."main"."grouped_sensitive" AS counted
  GROUP BY CAST("counted"."disease" AS VARCHAR) COLLATE C
) AS held_value
