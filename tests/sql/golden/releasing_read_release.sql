SELECT * FROM "memory"."main"."released"
