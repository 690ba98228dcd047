SELECT (
  SELECT COUNT(*) FILTER (WHERE row_group.group_rows IS DISTINCT FROM value_group.group_rows OR value_group.is_odd)
  FROM (
    SELECT CAST("group_id" AS BIGINT) AS group_number, COUNT(*) AS group_rows
    FROM "memory"."main"."grouped"
    GROUP BY CAST("group_id" AS BIGINT)
  ) AS row_group
  FULL JOIN (
    SELECT
      CAST("group_id" AS BIGINT) AS group_number,
      SUM(CAST("row_count" AS BIGINT)) AS group_rows,
      BOOL_OR(COALESCE(CAST("row_count" AS BIGINT) < 1, TRUE)) AS is_odd
    FROM "memory"."main"."grouped_sensitive"
    GROUP BY CAST("group_id" AS BIGINT)
  ) AS value_group
    ON row_group.group_number = value_group.group_number
) AS misfits
