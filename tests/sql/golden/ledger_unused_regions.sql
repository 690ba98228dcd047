DELETE FROM "memory"."main"."sqlgen_releases_regions" AS kept
WHERE NOT EXISTS (
  SELECT 1
  FROM "memory"."main"."sqlgen_releases" AS entry
  WHERE CONTAINS(entry.decision, kept.fingerprint)
)
