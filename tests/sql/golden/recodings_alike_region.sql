CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_0" AS
WITH placed AS MATERIALIZED (
  SELECT part.* EXCLUDE (part), groups.region
  FROM temp.main."sqlgen_group_part" AS part
  JOIN (SELECT DISTINCT part, region FROM temp.main."sqlgen_alike_group_2") AS groups
    ON part.part = groups.part
),
shared AS (
  SELECT region,
    CASE WHEN MIN(q1_0) = MAX(q1_0) THEN 0 WHEN MIN(q1_1) = MAX(q1_1) THEN 1 ELSE 2 END AS level_1,
    CASE WHEN MIN(q2_0) = MAX(q2_0) THEN 0 WHEN MIN(q2_1) = MAX(q2_1) THEN 1 ELSE 2 END AS level_2
  FROM placed
  GROUP BY region
)
SELECT placed.*,
  shared.level_1,
  shared.level_2
FROM placed
JOIN shared
  ON placed.region = shared.region
