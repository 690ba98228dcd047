SELECT
  class_id,
  linked > 0 AS fails,
  linked AS figure,
  0 AS repair
FROM (
  SELECT
    class.class_id,
    CASE WHEN class.class_size * CAST(1 AS HUGEINT) < 2 THEN matched.person_count ELSE 0 END AS linked
  FROM class_0 AS class
  JOIN (
    SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
    FROM people_1
    GROUP BY class_id
  ) AS matched
    ON class.class_id = matched.class_id
  UNION ALL
  SELECT class_id, 0 AS linked
  FROM class_0 AS class
  WHERE class_id NOT IN (SELECT class_id FROM people_1)
) AS class_linkage
