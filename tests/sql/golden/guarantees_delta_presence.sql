SELECT
  class_id,
  class_size * 1 > 1 * person_count
    OR class_size * 100 < 1 * person_count
    OR missing_people > 0 AS fails,
  CASE WHEN person_count > 0 THEN class_size / person_count ELSE CAST('infinity' AS DOUBLE) END AS figure,
  CASE WHEN class_size * 100 < 1 * person_count THEN class_size ELSE GREATEST(0, class_size - person_count * (1 / 1)) END AS repair
FROM (
  SELECT
    class.class_id,
    CAST(class.class_size AS HUGEINT) AS class_size,
    CAST(COALESCE(matched.person_count, 0) AS HUGEINT) AS person_count,
    missing.person_count AS missing_people
  FROM class_0 AS class
  LEFT JOIN (
    SELECT class_id, SUM(person_count) AS person_count
    FROM people_1
    GROUP BY class_id
  ) AS matched
    ON class.class_id = matched.class_id
  CROSS JOIN (
    SELECT COUNT(*) AS person_count
    FROM temp.main."sqlgen_people_1" AS person
    WHERE person.person_id NOT IN (
      SELECT people.person_id
      FROM people_1 AS people
      JOIN class_0 AS class
        ON people.class_id = class.class_id
    )
  ) AS missing
) AS class_presence
