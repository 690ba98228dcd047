(
  SELECT id_0
  FROM temp.main."sqlgen_ladder_3"
  WHERE value IN (TRY_CAST('flu' AS VARCHAR))
)
