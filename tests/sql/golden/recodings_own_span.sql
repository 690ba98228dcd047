CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_own_span" AS
SELECT quasi, span, label, REGEXP_REPLACE(span, '^(mean|median) of ', '') COLLATE C AS named
FROM (
  SELECT DISTINCT 1 AS quasi, COALESCE(spans[1], labels[1]) AS span, labels[1] AS label
  FROM (SELECT * FROM "memory"."main"."sqlgen_releases_regions" WHERE fingerprint = 'sha256:642b1672ce3bca85e3d82800407a2b41f6e9f9bbdda179b83b734f3c0e98bfc6') AS kept
  WHERE levels[1] = 1000
  UNION ALL
  SELECT DISTINCT 2 AS quasi, COALESCE(spans[2], labels[2]) AS span, labels[2] AS label
  FROM (SELECT * FROM "memory"."main"."sqlgen_releases_regions" WHERE fingerprint = 'sha256:642b1672ce3bca85e3d82800407a2b41f6e9f9bbdda179b83b734f3c0e98bfc6') AS kept
  WHERE levels[2] = 1000
) AS kept_label
