SELECT column_name, column_type
FROM (DESCRIBE SELECT * FROM "memory"."main"."patients")
