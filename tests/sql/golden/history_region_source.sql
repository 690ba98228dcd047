CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_joint_region_source" AS
SELECT source.*, class.number AS "region"
FROM "memory"."main"."patients" AS source
LEFT JOIN temp.main."sqlgen_rung_1" AS q1
  ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
  AND q1.is_kept
LEFT JOIN temp.main."sqlgen_rung_2" AS q2
  ON "source"."age" IS NOT DISTINCT FROM q2.value
  AND q2.is_kept
LEFT JOIN (SELECT DISTINCT q1_0, q2_0, region FROM temp.main."sqlgen_region_0") AS cell
  ON q1.id_0 = cell.q1_0 AND q2.id_0 = cell.q2_0
LEFT JOIN (SELECT * FROM "memory"."main"."sqlgen_releases_regions" WHERE fingerprint = 'sha256:885fa4178cfa3c79610cdf22e5b50c463846307da3e5cb3c636222646d77a665') AS kept
  ON cell.region = kept.number
LEFT JOIN (SELECT labels, MIN(number) AS number FROM (SELECT * FROM "memory"."main"."sqlgen_releases_regions" WHERE fingerprint = 'sha256:885fa4178cfa3c79610cdf22e5b50c463846307da3e5cb3c636222646d77a665') AS kept WHERE is_shown GROUP BY labels) AS class
  ON kept.labels = class.labels
