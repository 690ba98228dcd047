SELECT
  class_id,
  BOOL_OR(contradicts OR posterior_part * 1 > 1 * posterior_whole * (1 + 1e-12)) AS fails,
  MAX(CASE WHEN contradicts THEN 1 ELSE posterior_part / posterior_whole END) AS figure,
  0 AS repair
FROM (
  WITH block AS (
    SELECT class_id, value_id, SUM(person_count) AS block_count
    FROM people_2
    GROUP BY class_id, value_id
  ),
  weighed AS (
    SELECT
      people.class_id,
      people.person_id,
      people.person_count,
      COALESCE(histogram.value_count, 0) * (people.person_count / block.block_count) AS weight
    FROM people_2 AS people
    JOIN block
      ON people.class_id = block.class_id
      AND people.value_id = block.value_id
    LEFT JOIN histogram_1 AS histogram
      ON people.class_id = histogram.class_id
      AND people.value_id = histogram.value_id
  ),
  person AS (
    SELECT
      class_id,
      person_id,
      SUM(person_count) AS person_count,
      SUM(weight) AS weight,
      COUNT(*) AS value_count
    FROM weighed
    GROUP BY class_id, person_id
  )
  SELECT
    weighed.class_id,
    CAST(weighed.person_count AS HUGEINT) AS prior_part,
    CAST(person.person_count AS HUGEINT) AS prior_whole,
    weighed.weight AS posterior_part,
    person.weight AS posterior_whole,
    FALSE AS contradicts
  FROM weighed
  JOIN person
    ON weighed.class_id = person.class_id
    AND weighed.person_id = person.person_id
  WHERE person.weight > 0
  UNION ALL
  SELECT person.class_id, 0, 1, 0, 1, FALSE
  FROM person
  JOIN (SELECT class_id, COUNT(*) AS value_count FROM block GROUP BY class_id) AS possible
    ON person.class_id = possible.class_id
  WHERE person.weight > 0
    AND person.value_count < possible.value_count
  UNION ALL
  SELECT DISTINCT person.class_id, 0, 1, 0, 1, TRUE
  FROM person
  JOIN sized_1 AS sized
    ON person.class_id = sized.class_id
  WHERE NOT person.weight > 0
  UNION ALL
  SELECT histogram.class_id, 0, 1, 0, 1, TRUE
  FROM histogram_1 AS histogram
  LEFT JOIN block
    ON histogram.class_id = block.class_id
    AND histogram.value_id = block.value_id
  WHERE block.class_id IS NULL
) AS class_belief
GROUP BY class_id
