INSERT INTO "memory"."main"."sqlgen_releases_regions" (fingerprint, number, parent, is_shown, levels, labels, spans)
SELECT
  (SELECT fingerprint FROM temp.main."sqlgen_region_print") AS fingerprint,
  region.number,
  region.parent,
  region.is_shown,
  region.levels,
  region.labels,
  region.spans
FROM temp.main."sqlgen_region_tree" AS region
WHERE (SELECT release_rows FROM temp.main."sqlgen_audit") = (SELECT shown_rows FROM temp.main."sqlgen_region_print")
  AND NOT EXISTS (SELECT 1 FROM "memory"."main"."sqlgen_releases_regions" AS kept WHERE kept.fingerprint = (SELECT fingerprint FROM temp.main."sqlgen_region_print"))
ORDER BY region.number ASC
