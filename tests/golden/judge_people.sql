people_1 AS MATERIALIZED (
  SELECT
    class.class_id,
    matched.person_id,
    matched.person_count
  FROM (
    SELECT
      person_id,
      person_count
    FROM temp.main."sqlgen_people_1"
    WHERE is_kept
  ) AS matched
  JOIN class
    ON TRUE
)
