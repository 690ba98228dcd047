CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_extent" AS
SELECT
  region,
  MIN(place_1) AS first_1, MAX(place_1) AS last_1,
  MIN(place_2) AS first_2, MAX(place_2) AS last_2
FROM temp.main."sqlgen_cut_left"
GROUP BY region
