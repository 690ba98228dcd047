CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_row" AS
WITH hashed_row AS (
  SELECT
    label_place,
    value_place,
    MD5_NUMBER(CONCAT(hash_key, ',', value_place, ',', label_place, ',', turn)) AS row_hash
  FROM (
    SELECT label_place, value_place, UNNEST(RANGE(row_count)) AS turn
    FROM temp.main."sqlgen_group_cell"
  ) AS turned
  CROSS JOIN temp.main."sqlgen_group_key" AS source_key
),
placed AS (
  SELECT
    label_place,
    value_place,
    ROW_NUMBER() OVER (ORDER BY value_place ASC, row_hash ASC) - 1 AS place
  FROM hashed_row
),
counted AS (
  SELECT CAST(SUM(row_count) AS BIGINT) AS released_rows
  FROM temp.main."sqlgen_group_cell"
)
SELECT
  placed.label_place,
  placed.value_place,
  CAST(placed.place % GREATEST(1, counted.released_rows // 2) AS BIGINT) AS raw_group
FROM placed
CROSS JOIN counted
