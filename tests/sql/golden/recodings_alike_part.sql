CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_part" AS
WITH beginning AS (
  SELECT place, MAX(cell) AS cell, MAX(part) AS part
  FROM (
    SELECT start_row AS place, cell, NULL AS part
    FROM temp.main."sqlgen_alike_cell"
    UNION ALL
    SELECT first_row, NULL, part
    FROM temp.main."sqlgen_alike_group_0"
  ) AS side
  GROUP BY place
),
piece AS (
  SELECT
    place,
    MAX(cell) OVER up_to AS cell,
    MAX(part) OVER up_to AS part,
    LEAD(place) OVER (ORDER BY place ASC) AS next_place
  FROM beginning
  WINDOW up_to AS (ORDER BY place ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
)
SELECT
  piece.cell,
  piece.part,
  piece.place - cell.start_row AS part_start,
  COALESCE(piece.next_place, cell.start_row + cell.row_count) - piece.place AS row_count,
  cell.kind,
  cell.amount,
  cell.q1_0,
  cell.q1_1,
  cell.q2_0,
  cell.q2_1,
  cell.v1
FROM piece
JOIN temp.main."sqlgen_alike_cell" AS cell
  ON piece.cell = cell.cell
