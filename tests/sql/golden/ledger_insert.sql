INSERT INTO "memory"."main"."sqlgen_releases" (
  release_id, released_at, policy, folder, policy_fingerprint, lock_fingerprint, source,
  source_fingerprint, source_rows, released_rows, suppressed_rows, masked_rows, classes, null_rows,
  recoding, decision, sensitive_levels, hierarchies, guarantees, target_kind, target, place,
  since_column, since_type, since_after, since_until, settled_rows, sqlgen_version, engine_version,
  source_query
)
WITH entry AS (
  SELECT
    (SELECT COALESCE(MAX(release_id), 0) + 1 FROM "memory"."main"."sqlgen_releases") AS release_id,
    CAST(CURRENT_TIMESTAMP AT TIME ZONE 'UTC' AS TIMESTAMP) AS released_at,
    source_rows,
    release_rows AS released_rows,
    source_rows - release_rows AS suppressed_rows,
    masked_rows,
    class_count AS classes,
    (
      SELECT '{"name": ' || CAST(COUNT(*) - COUNT("source"."name") AS VARCHAR)
        || ', "zip": ' || CAST(COUNT(*) - COUNT("source"."zip") AS VARCHAR)
        || ', "age": ' || CAST(COUNT(*) - COUNT("source"."age") AS VARCHAR)
        || ', "disease": ' || CAST(COUNT(*) - COUNT("source"."disease") AS VARCHAR)
        || ', "visits": ' || CAST(COUNT(*) - COUNT("source"."visits") AS VARCHAR)
        || ', "seen": ' || CAST(COUNT(*) - COUNT("source"."seen") AS VARCHAR)
        || ', "called": ' || CAST(COUNT(*) - COUNT("source"."called") AS VARCHAR)
        || ', "written": ' || CAST(COUNT(*) - COUNT("source"."written") AS VARCHAR)
        || ', "weight": ' || CAST(COUNT(*) - COUNT("source"."weight") AS VARCHAR)
        || ', "tags": ' || CAST(COUNT(*) - COUNT("source"."tags") AS VARCHAR)
        || '}'
      FROM "memory"."main"."patients" AS source
    ) AS null_rows,
    '[{"name": "k_anonymity", "parameters": {"k": 3}, "measured": ' || CASE
      WHEN measured_1 IS NULL THEN 'null'
      WHEN measured_1 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_1 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ']' AS guarantees,
    NULL AS settled_rows,
    VERSION() AS engine_version,
    '' AS policy,
    '' AS folder,
    'sha256:5e3a17c77653c7118cb660ece2484a8c' AS policy_fingerprint,
    'sha256:e15119b69f0644b31438092f664eac4a' AS lock_fingerprint,
    'patients' AS source,
    'sha256:12c220b29ccd020d7c104e837c2e958c' AS source_fingerprint,
    'full_domain' AS recoding,
    '{"levels": {"zip": 0, "age": 1}}' AS decision,
    '{"disease": 0}' AS sensitive_levels,
    '{}' AS hierarchies,
    'table' AS target_kind,
    'released_0' AS target,
    '"main"."released_0"' AS place,
    CAST(NULL AS VARCHAR) AS since_column,
    CAST(NULL AS VARCHAR) AS since_type,
    CAST(NULL AS TIMESTAMP) AS since_after,
    CAST(NULL AS TIMESTAMP) AS since_until,
    '0.0.0' AS sqlgen_version,
    CAST(NULL AS VARCHAR) AS source_query
  FROM temp.main."sqlgen_audit"
)
SELECT
  release_id, released_at, policy, folder, policy_fingerprint, lock_fingerprint, source,
  source_fingerprint, source_rows, released_rows, suppressed_rows, masked_rows, classes, null_rows,
  recoding, decision, sensitive_levels, hierarchies, guarantees, target_kind, target, place,
  since_column, since_type, since_after, since_until, settled_rows, sqlgen_version, engine_version,
  source_query
FROM entry
RETURNING release_id
