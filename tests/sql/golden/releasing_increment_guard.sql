SELECT CASE WHEN COUNT(*) > 0 THEN system.main.error('these rows were released meanwhile; nothing was changed') END AS guard
FROM "memory"."main"."sqlgen_releases"
WHERE target_kind = 'table'
  AND REGEXP_FULL_MATCH(target, '"new_.*"')
  AND since_until > CAST('2024-02-26 12:00:00' AS TIMESTAMP)
