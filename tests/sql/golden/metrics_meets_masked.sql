CASE
  WHEN node_class.is_shown THEN cell.v2 IN (
    SELECT id_0
    FROM temp.main."sqlgen_ladder_4"
    WHERE COALESCE(CAST(("value" > 2) AS TEXT) = 'true', FALSE)
  )
  ELSE (
    SELECT COALESCE(CAST(("value" > 2) AS TEXT) = 'true', FALSE)
    FROM (SELECT (SELECT value FROM temp.main."sqlgen_ladder_4" WHERE FALSE) AS value) AS masked
  )
END
