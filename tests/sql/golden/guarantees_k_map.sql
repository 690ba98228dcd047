SELECT
  class.class_id,
  COALESCE(matched.person_count, 0) < 2 AS fails,
  COALESCE(matched.person_count, 0) AS figure,
  class.class_size AS repair
FROM class_0 AS class
LEFT JOIN (
  SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
  FROM people_1
  GROUP BY class_id
) AS matched
  ON class.class_id = matched.class_id
