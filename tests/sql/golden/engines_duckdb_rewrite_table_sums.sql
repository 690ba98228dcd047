SELECT
  (SELECT (COUNT(*), SUM(CAST(HASH(STRUCT_PACK(*COLUMNS(kept.*))) AS HUGEINT))) FROM "clinic"."main"."patients" AS kept)
  IS NOT DISTINCT FROM
  (SELECT (COUNT(*), SUM(CAST(HASH(STRUCT_PACK(*COLUMNS(kept.*))) AS HUGEINT))) FROM "sqlgen_fresh"."main"."patients" AS kept) AS is_same
