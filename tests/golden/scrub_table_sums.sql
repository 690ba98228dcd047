SELECT
  (SELECT (COUNT(*), SUM(CAST(HASH(kept) AS HUGEINT))) FROM "clinic"."main"."patients" AS kept)
  IS NOT DISTINCT FROM
  (SELECT (COUNT(*), SUM(CAST(HASH(kept) AS HUGEINT))) FROM "sqlgen_fresh"."main"."patients" AS kept) AS is_same
