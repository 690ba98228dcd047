SELECT *
FROM temp.main."sqlgen_kept"
WHERE class_id IS NOT NULL
