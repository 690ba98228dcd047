EXPLAIN (FORMAT json) SELECT * FROM (
FROM patients
)
