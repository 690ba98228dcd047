CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_row" AS
WITH hashed_cell AS (
  SELECT
    cell.*,
    MD5(
      CONCAT(
        hash_key,
        ',',
        value_place,
        ',', q1,
        ',', q2,
        COALESCE(CONCAT(LENGTH(CAST(kept_1 AS VARCHAR)), ':', CAST(kept_1 AS VARCHAR)), '-')
      )
    ) AS cell_hash
  FROM temp.main."sqlgen_group_cell" AS cell
  CROSS JOIN temp.main."sqlgen_group_key" AS source_key
),
hashed_row AS (
  SELECT *, MD5(CONCAT(cell_hash, ':', turn)) AS row_hash
  FROM (
    SELECT *, UNNEST(RANGE(row_count)) AS turn
    FROM hashed_cell
  ) AS turned
),
placed AS (
  SELECT
    *,
    ROW_NUMBER() OVER (ORDER BY value_place ASC, row_hash ASC) - 1 AS place
  FROM hashed_row
),
counted AS (
  SELECT CAST(SUM(row_count) AS BIGINT) AS released_rows
  FROM temp.main."sqlgen_group_cell"
)
SELECT
  placed.* EXCLUDE (row_count, turn, cell_hash, row_hash, place),
  CAST(placed.place % GREATEST(1, counted.released_rows // 2) AS BIGINT) AS raw_group
FROM placed
CROSS JOIN counted
