(SELECT CAST(NULL AS "memory"."main"."held") AS value)
