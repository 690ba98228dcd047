SELECT COUNT(*) FILTER (WHERE row_count = 1) AS unique_rows
FROM (
  SELECT COUNT(*) AS row_count
  FROM temp.main."sqlgen_source" AS audited
  LEFT JOIN temp.main."sqlgen_ladder_2" AS q2
    ON "audited"."age" IS NOT DISTINCT FROM q2.value
  GROUP BY HASH(CAST("audited"."disease" AS VARCHAR) COLLATE C, "audited"."visits", CAST("audited"."zip" AS VARCHAR) COLLATE C, q2.id_1)
) AS combination
