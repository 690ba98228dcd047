SELECT
  0 AS list,
  FALSE AS is_mistyped,
  [UNPACK(CAST(COLUMNS(*) AS VARCHAR) COLLATE C)] AS fields
FROM "memory"."main"."zips" AS line (field_0)
