CREATE TEMPORARY TABLE temp.main."sqlgen_source" AS
SELECT *
FROM (
FROM patients
) AS query
