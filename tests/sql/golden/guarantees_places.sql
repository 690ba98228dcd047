SELECT
  id_0 AS value_id,
  ROW_NUMBER() OVER (ORDER BY position ASC) AS place
FROM temp.main."sqlgen_ladder_3"
WHERE id_0 IN (SELECT value_id FROM histogram_1)
