WITH named_person AS MATERIALIZED (
  SELECT
    person.person_id,
    person.person_count
  FROM person_1 AS person
)
SELECT *
FROM named_person
