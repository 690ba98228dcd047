SELECT
  person.person_id,
  person.person_count
FROM person_1 AS person
