-- measuring/matched
SELECT
  q1_0 AS key_1,
  q2_1 AS key_2,
  person_id,
  person_count
FROM temp.main."sqlgen_people_1"
WHERE is_kept
