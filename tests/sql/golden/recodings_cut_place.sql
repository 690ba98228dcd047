CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_place" AS
WITH leaf AS (
  SELECT
    1 AS quasi,
    [BOOL_AND(value IS NOT NULL) OVER (PARTITION BY id_0), id_1, id_0] AS path,
    id_0 AS leaf,
    [id_0, id_1, 0] AS ids,
    [COUNT(*) OVER (PARTITION BY id_0), COUNT(*) OVER (PARTITION BY id_1), COUNT(*) OVER ()] AS sizes,
    label_0 AS text,
    row_count
  FROM temp.main."sqlgen_rung_1" AS rung
  WHERE is_kept
  UNION ALL
  SELECT
    2 AS quasi,
    [id_0] AS path,
    id_0 AS leaf,
    [id_0, id_1, 0] AS ids,
    [COUNT(*) OVER (PARTITION BY id_0), COUNT(*) OVER (PARTITION BY id_1), COUNT(*) OVER ()] AS sizes,
    label_0 AS text,
    row_count
  FROM temp.main."sqlgen_rung_2" AS rung
  WHERE is_kept
),
placed AS (
  SELECT *, CAST(DENSE_RANK() OVER (PARTITION BY quasi ORDER BY path ASC) AS INTEGER) AS place
  FROM leaf
),
place AS (
  SELECT
    quasi,
    place,
    MIN(leaf) AS leaf,
    MIN(ids) AS ids,
    MIN(sizes) AS sizes,
    MIN(text) AS text,
    COUNT(*) AS leaves,
    CAST(SUM(row_count) AS BIGINT) AS source_rows
  FROM placed
  GROUP BY quasi, place
)
SELECT
  quasi,
  place,
  leaf,
  ids,
  sizes,
  text,
  source_rows,
  CAST(SUM(source_rows) OVER (PARTITION BY quasi ORDER BY place ASC) AS BIGINT) AS rows_up_to,
  CAST(SUM(leaves) OVER (PARTITION BY quasi) AS BIGINT) AS column_leaves
FROM place
