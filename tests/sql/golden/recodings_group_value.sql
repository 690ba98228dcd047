CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_value" AS
SELECT
  v1,
  value_rows,
  CAST(
    SUM(value_rows) OVER (ORDER BY -value_rows ASC NULLS FIRST, value ASC NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - value_rows
    AS BIGINT
  ) AS start_row
FROM (
  SELECT v1, CAST(SUM(row_count) AS BIGINT) AS value_rows
  FROM temp.main."sqlgen_value_cell"
  GROUP BY v1
) AS counted
JOIN temp.main."sqlgen_ladder_3" AS named
  ON counted.v1 = named.id_0
