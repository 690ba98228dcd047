SELECT
  person_id,
  person_count
FROM temp.main."sqlgen_people_1"
WHERE is_kept
