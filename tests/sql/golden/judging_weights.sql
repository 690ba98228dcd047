SELECT
  CAST(COALESCE(SUM(CAST(referred."weight" * 10 AS HUGEINT)), 0) AS HUGEINT) AS total,
  COUNT(*) FILTER (WHERE COALESCE(CAST(referred."weight" * 10 AS HUGEINT), -1) < 0) AS unfit_rows
FROM "memory"."main"."priors" AS referred
