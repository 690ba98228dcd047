CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_left" AS
SELECT cell, place_1, place_2, CAST(0 AS BIGINT) * 1099511627776 + region AS region
FROM temp.main."sqlgen_cut_cell"
WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_0")
UNION ALL
SELECT cell, place_1, place_2, CAST(1 AS BIGINT) * 1099511627776 + region AS region
FROM temp.main."sqlgen_cut_region_1"
WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_1")
UNION ALL
SELECT cell, place_1, place_2, CAST(2 AS BIGINT) * 1099511627776 + region AS region
FROM temp.main."sqlgen_cut_region_2"
WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_2")
UNION ALL
SELECT cell, place_1, place_2, CAST(3 AS BIGINT) * 1099511627776 + region AS region
FROM temp.main."sqlgen_cut_region_3"
WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_3")
UNION ALL
SELECT cell, place_1, place_2, CAST(4 AS BIGINT) * 1099511627776 + region AS region
FROM temp.main."sqlgen_cut_region_4"
WHERE TRUE
