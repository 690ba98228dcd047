WITH shown AS (
  SELECT DISTINCT released.zip AS label
  FROM one AS released
)
SELECT COUNT(*) AS ambiguous_count
FROM (
  SELECT label_of_value.value, shown.label
  FROM shown
  JOIN (
    SELECT value, level, label
    FROM label_of_value
    WHERE level IN (0, 1)
  ) AS label_of_value
    ON shown.label IS NOT DISTINCT FROM label_of_value.label
  GROUP BY label_of_value.value, shown.label
  HAVING COUNT(DISTINCT label_of_value.level) < 2
) AS ambiguous
