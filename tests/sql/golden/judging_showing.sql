(
  SELECT *
  FROM "memory"."main"."matched" AS audited
  QUALIFY NOT BOOL_AND(CAST("audited"."disease" AS VARCHAR) COLLATE C IS NULL) OVER (PARTITION BY CAST("audited"."zip" AS VARCHAR) COLLATE C, CAST("audited"."age" AS VARCHAR) COLLATE C)
)
