SELECT
  LIST(id_0 ORDER BY id_0 ASC) AS positions,
  LIST(id_0 ORDER BY id_0 ASC) AS cuts_0
FROM temp.main."sqlgen_ladder_3"
