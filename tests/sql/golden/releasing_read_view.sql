SELECT MAX(HASH(each)) IS NULL AS is_empty
FROM "clinic"."main"."visits" AS each
