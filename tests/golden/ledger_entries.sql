SELECT
  release_id,
  STRFTIME(released_at, '%Y-%m-%dT%H:%M:%SZ') AS released_at,
  policy,
  policy_fingerprint,
  lock_fingerprint,
  source,
  source_fingerprint,
  source_rows,
  released_rows,
  suppressed_rows,
  withheld_rows,
  classes,
  null_rows,
  levels,
  guarantees,
  target_kind,
  target,
  sqlgen_version,
  engine_version
FROM "clinic"."main"."sqlgen_releases"
ORDER BY release_id DESC
