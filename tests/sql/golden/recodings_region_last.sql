CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region" AS
SELECT q1_0, q1_1, q2_0, q2_1, v1, row_count, region, level_1, level_2, 0 AS round
FROM temp.main."sqlgen_region_0" AS cell
WHERE TRUE
