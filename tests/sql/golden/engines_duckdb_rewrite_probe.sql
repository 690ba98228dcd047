CREATE TEMPORARY TABLE temp.main.sqlgen_probe AS
SELECT value
FROM (
  SELECT DISTINCT CAST("name" AS VARCHAR) AS value FROM patients
  UNION
  SELECT DISTINCT CAST("code" AS VARCHAR) AS value FROM patients
) AS text_value
WHERE STRLEN(value) >= 5
ORDER BY HASH(value) ASC, value ASC
LIMIT 100
