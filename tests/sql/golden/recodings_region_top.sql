CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_kept" AS
SELECT *
FROM temp.main."sqlgen_region_kept"
UNION ALL
SELECT
  (SELECT COALESCE(MAX(number), 0) FROM temp.main."sqlgen_region_kept")
    + ROW_NUMBER() OVER (ORDER BY id_1 ASC, id_2 ASC) AS number,
  NULL AS parent,
  TRUE AS is_shown,
  FALSE AS is_gone,
  TRUE AS is_top,
  2 AS level_1, id_1,
  2 AS level_2, id_2
FROM (
  SELECT DISTINCT CAST(0 AS UINTEGER) AS id_1, CAST(0 AS UINTEGER) AS id_2
  FROM temp.main."sqlgen_region_cell"
) AS top_class
