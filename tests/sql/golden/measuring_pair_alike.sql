CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_pair_alike" AS
SELECT
  value_group.held,
  value_group.group_rows,
  row_group.group_rows IS DISTINCT FROM value_group.group_rows OR COALESCE(value_group.is_odd, FALSE) AS is_misfit,
  COUNT(*) AS group_count
FROM (
  SELECT CAST("group_id" AS BIGINT) AS group_number, COUNT(*) AS group_rows
  FROM "memory"."main"."dealt"
  GROUP BY CAST("group_id" AS BIGINT)
) AS row_group
FULL JOIN (
  SELECT
    CAST(counted."group_id" AS BIGINT) AS group_number,
    LIST_SORT(LIST(numbered.value_number * (numbered.most_rows + 1) + CAST(counted."row_count" AS BIGINT))) AS held,
    SUM(CAST(counted."row_count" AS BIGINT)) AS group_rows,
    BOOL_OR(COALESCE(CAST(counted."row_count" AS BIGINT) < 1, TRUE)) AS is_odd
  FROM "memory"."main"."dealt_sensitive" AS counted
  LEFT JOIN temp.main."sqlgen_pair_value" AS numbered
    ON "counted"."visits" IS NOT DISTINCT FROM numbered.value
  GROUP BY CAST(counted."group_id" AS BIGINT)
) AS value_group
  ON row_group.group_number = value_group.group_number
GROUP BY ALL
