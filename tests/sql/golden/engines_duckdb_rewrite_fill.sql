INSERT INTO "sqlgen_fresh"."main"."patients" ("name", "zip", "age", "disease", "visits", "seen", "called", "written", "weight", "tags")
SELECT "name", "zip", "age", "disease", "visits", "seen", "called", "written", "weight", "tags"
FROM "clinic"."main"."patients"
WHERE FALSE
