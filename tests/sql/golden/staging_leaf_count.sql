SELECT COUNT(*) AS leaf_count
FROM temp.main."sqlgen_ladder_3"
