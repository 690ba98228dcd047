CREATE TEMPORARY TABLE temp.main."sqlgen_label" AS
SELECT
  1 AS ladder,
  0 AS level,
  id_0 AS id,
  COUNT(*) AS leaf_count
FROM temp.main."sqlgen_ladder_1"
WHERE is_kept
GROUP BY id_0
UNION ALL
SELECT
  1 AS ladder,
  1 AS level,
  id_1 AS id,
  COUNT(*) AS leaf_count
FROM temp.main."sqlgen_ladder_1"
WHERE is_kept
GROUP BY id_1
UNION ALL
SELECT
  2 AS ladder,
  0 AS level,
  id_0 AS id,
  COUNT(*) AS leaf_count
FROM temp.main."sqlgen_ladder_2"
WHERE is_kept
GROUP BY id_0
UNION ALL
SELECT
  2 AS ladder,
  1 AS level,
  id_1 AS id,
  COUNT(*) AS leaf_count
FROM temp.main."sqlgen_ladder_2"
WHERE is_kept
GROUP BY id_1
