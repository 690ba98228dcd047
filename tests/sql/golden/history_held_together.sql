CREATE TEMPORARY TABLE held AS
SELECT DISTINCT
  1 AS release,
  class.class_id,
  cell.s1,
  cell.s2
FROM cell_1 AS cell
JOIN class_1 AS class
  ON cell.q1 = class.q1
WHERE NOT class.is_withheld
UNION ALL
SELECT DISTINCT
  2 AS release,
  class.class_id,
  cell.s1,
  cell.s2
FROM cell_2 AS cell
JOIN class_2 AS class
  ON cell.q1 = class.q1
WHERE NOT class.is_withheld
