CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_part" AS
WITH counted AS (
  SELECT stratum, MIN(start_row) AS stratum_start, GREATEST(1, SUM(row_count) // 1) AS group_count
  FROM temp.main."sqlgen_alike_cell"
  GROUP BY stratum
),
dealt AS (
  SELECT
    cell,
    CAST(
      stratum_start
      + ROW_NUMBER() OVER (
        PARTITION BY stratum, (place - stratum_start) // group_count
        ORDER BY place ASC
      ) AS BIGINT
    ) AS part
  FROM (
    SELECT *, start_row + UNNEST(RANGE(row_count)) AS place
    FROM temp.main."sqlgen_alike_cell"
  ) AS placed
  JOIN counted
    USING (stratum)
),
part AS (
  SELECT cell, part, COUNT(*) AS row_count
  FROM dealt
  GROUP BY cell, part
)
SELECT
  part.cell,
  part.part,
  CAST(SUM(part.row_count) OVER (PARTITION BY part.cell ORDER BY part.part ASC) - part.row_count AS BIGINT) AS part_start,
  part.row_count,
  cell.kind,
  cell.amount,
  cell.v1
FROM part
JOIN temp.main."sqlgen_alike_cell" AS cell
  ON part.cell = cell.cell
