SELECT MD5(COALESCE(STRING_AGG(line_digest, '' ORDER BY line_digest ASC), '')) AS fingerprint
FROM (
  SELECT MD5(COALESCE(MD5(CAST(field_0 AS VARCHAR)), '') || ',' || COALESCE(MD5(CAST(field_1 AS VARCHAR)), '')) AS line_digest
  FROM "memory"."main"."zips" AS line (field_0, field_1)
) AS line
