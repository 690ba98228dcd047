CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_alike_cell" AS
WITH cell AS MATERIALIZED (
  SELECT *, 1 AS stratum
  FROM temp.main."sqlgen_region_cell" AS cell
),
amount AS (
  SELECT
    value_id,
    value,
    kind,
    CAST(
      CASE
        WHEN kind <> 1 OR most = least THEN 0
        ELSE CASE WHEN most - least <= scale THEN whole - least ELSE CAST(FLOOR(CAST(whole - least AS DOUBLE) / CAST(most - least AS DOUBLE) * CAST(scale AS DOUBLE)) AS HUGEINT) END
      END AS HUGEINT
    ) AS amount
  FROM (
    SELECT
      *,
      MIN(whole) OVER () AS least,
      MAX(whole) OVER () AS most,
      (
        SELECT LEAST(CAST(1000000000000000 AS HUGEINT), CAST(10000000000000000000 AS HUGEINT) // GREATEST(SUM(row_count), 1))
        FROM temp.main."sqlgen_region_cell"
      ) AS scale
    FROM (
      SELECT value_id, value, kind, CASE WHEN kind = 1 THEN CAST(value AS HUGEINT) END AS whole
      FROM (
        SELECT value_id, value, CASE WHEN value IS NULL THEN 4 ELSE 1 END AS kind
        FROM (SELECT id_0 AS value_id, value FROM temp.main."sqlgen_ladder_3" WHERE id_0 IN (SELECT v1 FROM temp.main."sqlgen_region_cell")) AS occurring
      ) AS sorted_value
    ) AS whole_value
  ) AS spanned_value
)
SELECT
  ROW_NUMBER() OVER in_order AS cell,
  cell.stratum,
  amount.kind,
  amount.amount,
  CAST(SUM(cell.row_count) OVER (in_order ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - cell.row_count AS BIGINT) AS start_row,
  cell.q1_0,
  cell.q1_1,
  cell.q2_0,
  cell.q2_1,
  cell.v1,
  cell.row_count
FROM cell
JOIN amount
  ON cell.v1 = amount.value_id
WINDOW in_order AS (ORDER BY cell.stratum ASC, amount.kind ASC, amount.value ASC NULLS LAST, cell.q1_1 ASC, cell.q2_1 ASC, cell.q1_0 ASC, cell.q2_0 ASC, cell.v1 ASC)
