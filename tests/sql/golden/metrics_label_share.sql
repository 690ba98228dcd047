(
  SELECT
    id_0 AS label,
    CAST(COUNT(*) FILTER (WHERE COALESCE(CAST(("value" > '4') AS TEXT) = 'true', FALSE)) AS DOUBLE) / COUNT(*) AS share
  FROM (SELECT * FROM temp.main."sqlgen_ladder_1" WHERE is_kept) AS leaf
  GROUP BY id_0
)
