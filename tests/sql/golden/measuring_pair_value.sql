CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_pair_value" AS
SELECT
  value,
  ROW_NUMBER() OVER (ORDER BY value ASC NULLS FIRST) - 1 AS value_number,
  MAX(most_rows) OVER () AS most_rows
FROM (
  SELECT
    "counted"."visits" AS value,
    MAX(CAST("row_count" AS BIGINT)) AS most_rows
  FROM "memory"."main"."dealt_sensitive" AS counted
  GROUP BY "counted"."visits"
) AS held_value
