WITH
leaf_1 AS MATERIALIZED (
  SELECT q1_0 AS id_0, SUM(row_count) AS row_count
  FROM temp.main."sqlgen_cell"
  GROUP BY q1_0
),
leaf_2 AS MATERIALIZED (
  SELECT q2_0 AS id_0, SUM(row_count) AS row_count
  FROM temp.main."sqlgen_cell"
  GROUP BY q2_0
)
SELECT
  1 AS ladder,
  0 AS level,
  CAST(COALESCE(SUM(CAST(leaf_1.row_count AS HUGEINT) * label.leaf_count), 0) AS HUGEINT) AS row_sum
FROM leaf_1
JOIN temp.main."sqlgen_ladder_1" AS ladder
  ON leaf_1.id_0 = ladder.id_0
JOIN temp.main."sqlgen_label" AS label
  ON label.ladder = 1
  AND label.level = 0
  AND label.id = ladder.id_0
UNION ALL
SELECT
  1 AS ladder,
  1 AS level,
  CAST(COALESCE(SUM(CAST(leaf_1.row_count AS HUGEINT) * label.leaf_count), 0) AS HUGEINT) AS row_sum
FROM leaf_1
JOIN temp.main."sqlgen_ladder_1" AS ladder
  ON leaf_1.id_0 = ladder.id_0
JOIN temp.main."sqlgen_label" AS label
  ON label.ladder = 1
  AND label.level = 1
  AND label.id = ladder.id_1
UNION ALL
SELECT
  2 AS ladder,
  0 AS level,
  CAST(COALESCE(SUM(CAST(leaf_2.row_count AS HUGEINT) * label.leaf_count), 0) AS HUGEINT) AS row_sum
FROM leaf_2
JOIN temp.main."sqlgen_ladder_2" AS ladder
  ON leaf_2.id_0 = ladder.id_0
JOIN temp.main."sqlgen_label" AS label
  ON label.ladder = 2
  AND label.level = 0
  AND label.id = ladder.id_0
UNION ALL
SELECT
  2 AS ladder,
  1 AS level,
  CAST(COALESCE(SUM(CAST(leaf_2.row_count AS HUGEINT) * label.leaf_count), 0) AS HUGEINT) AS row_sum
FROM leaf_2
JOIN temp.main."sqlgen_ladder_2" AS ladder
  ON leaf_2.id_0 = ladder.id_0
JOIN temp.main."sqlgen_label" AS label
  ON label.ladder = 2
  AND label.level = 1
  AND label.id = ladder.id_1
