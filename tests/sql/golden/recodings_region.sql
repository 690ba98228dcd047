CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_0" AS
SELECT q1_0, q1_1, q2_0, q2_1, v1, row_count, CAST(1 AS BIGINT) * 4294967296 + class_id AS region, CAST(1 AS BIGINT) AS place, CAST(0 AS INTEGER) AS level_1, CAST(1 AS INTEGER) AS level_2
FROM temp.main."sqlgen_layer_1"
WHERE is_released
