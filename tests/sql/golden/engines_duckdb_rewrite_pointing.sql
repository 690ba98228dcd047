SELECT COUNT(*) > 0 AS is_pointing
FROM (
  SELECT 1 AS one
  FROM staff
  WHERE "boss" IS NOT NULL AND "site" IS NOT NULL
  LIMIT 1
) AS pointing
