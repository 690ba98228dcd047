SELECT MAX(release_id) AS release_id
FROM "memory"."main"."sqlgen_releases"
