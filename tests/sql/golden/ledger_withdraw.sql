DELETE FROM "memory"."main"."sqlgen_releases"
WHERE release_id = 3
