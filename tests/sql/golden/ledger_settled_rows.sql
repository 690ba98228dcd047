(SELECT COUNT(*) FROM "memory"."main"."patients" AS source WHERE "source"."written" <= CAST('2024-02-27 12:00:00+00' AS TIMESTAMP WITH TIME ZONE))
