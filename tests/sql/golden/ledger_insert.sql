INSERT INTO "memory"."main"."sqlgen_releases" BY NAME
SELECT
  (SELECT COALESCE(MAX(release_id), 0) + 1 FROM "memory"."main"."sqlgen_releases") AS release_id,
  CAST(CURRENT_TIMESTAMP AT TIME ZONE 'UTC' AS TIMESTAMP) AS released_at,
  '' AS policy,
  '' AS folder,
  'sha256:b11effa05b98f12c22c85bc4a43bc1b4' AS policy_fingerprint,
  'sha256:396a4b76a651d7d52879bc401f9a7a74' AS lock_fingerprint,
  'patients' AS source,
  'sha256:12c220b29ccd020d7c104e837c2e958c' AS source_fingerprint,
  source_rows,
  release_rows AS released_rows,
  source_rows - release_rows AS suppressed_rows,
  withheld_rows,
  class_count AS classes,
  (
    SELECT [
      {'column': 'name', 'rows': COUNT(*) - COUNT("source"."name")},
      {'column': 'zip', 'rows': COUNT(*) - COUNT("source"."zip")},
      {'column': 'age', 'rows': COUNT(*) - COUNT("source"."age")},
      {'column': 'disease', 'rows': COUNT(*) - COUNT("source"."disease")},
      {'column': 'visits', 'rows': COUNT(*) - COUNT("source"."visits")},
      {'column': 'seen', 'rows': COUNT(*) - COUNT("source"."seen")},
      {'column': 'called', 'rows': COUNT(*) - COUNT("source"."called")},
      {'column': 'written', 'rows': COUNT(*) - COUNT("source"."written")},
      {'column': 'weight', 'rows': COUNT(*) - COUNT("source"."weight")},
      {'column': 'tags', 'rows': COUNT(*) - COUNT("source"."tags")}
    ]
    FROM "memory"."main"."patients" AS source
  ) AS null_rows,
  [
    {'column': 'zip', 'level': 0},
    {'column': 'age', 'level': 1}
  ] AS levels,
  CAST([
    {'column': 'disease', 'level': 0}
  ] AS STRUCT("column" VARCHAR, "level" INTEGER)[]) AS sensitive_levels,
  CAST([
  ] AS STRUCT("column" VARCHAR, fingerprint VARCHAR)[]) AS hierarchies,
  [
    {'guarantee': 'k_anonymity', 'required': 'k >= 3', 'measured': CAST(measured_1 AS DOUBLE)}
  ] AS guarantees,
  'table' AS target_kind,
  'released_0' AS target,
  '"main"."released_0"' AS place,
  '0.0.0' AS sqlgen_version,
  VERSION() AS engine_version,
  CAST(NULL AS VARCHAR) AS source_query
FROM temp.main."sqlgen_audit"
