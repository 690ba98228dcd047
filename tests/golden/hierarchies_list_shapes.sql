SELECT 0 AS list, COUNT(*) AS field_count
FROM (DESCRIBE SELECT * FROM "memory"."main"."zips")
