people_1 AS MATERIALIZED (
  SELECT
    class.class_id,
    matched.person_id,
    matched.person_count
  FROM (
    SELECT
      q1_0 AS key_1,
      q2_1 AS key_2,
      person_id,
      person_count
    FROM temp.main."sqlgen_people_1"
    WHERE is_kept
  ) AS matched
  JOIN class
    ON class.key_1 IS NOT DISTINCT FROM matched.key_1 AND class.key_2 IS NOT DISTINCT FROM matched.key_2
)
