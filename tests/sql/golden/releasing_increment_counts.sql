SELECT
  COUNT(*) FILTER (WHERE "source"."written" > CAST('2024-02-26 12:00:00+00' AS TIMESTAMP WITH TIME ZONE) AND "source"."written" <= CAST('2024-02-27 12:00:00+00' AS TIMESTAMP WITH TIME ZONE)) AS new_rows,
  COUNT(*) FILTER (WHERE "source"."written" <= CAST('2024-02-27 12:00:00+00' AS TIMESTAMP WITH TIME ZONE)) AS settled_rows,
  COUNT(*) FILTER (WHERE "source"."written" IS NULL OR NOT ISFINITE("source"."written")) AS untimed_rows
FROM "memory"."main"."patients" AS source
