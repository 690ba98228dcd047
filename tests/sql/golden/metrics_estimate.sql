SELECT
  1 AS query,
  COALESCE(SUM(share ORDER BY share ASC), 0) AS row_count
FROM (
  SELECT cell.row_count * CAST(1 AS DOUBLE) AS share
  FROM node_class
  JOIN temp.main."sqlgen_value_cell" AS cell
    ON cell."q1_0" = node_class.key_1 AND cell."q2_1" = node_class.key_2
  WHERE node_class.is_released AND CASE
  WHEN node_class.is_shown THEN cell.v2 IN (
    SELECT id_0
    FROM temp.main."sqlgen_ladder_4"
    WHERE COALESCE(CAST(("value" > 2) AS TEXT) = 'true', FALSE)
  )
  ELSE (
    SELECT COALESCE(CAST(("value" > 2) AS TEXT) = 'true', FALSE)
    FROM (SELECT (SELECT value FROM temp.main."sqlgen_ladder_4" WHERE FALSE) AS value) AS masked
  )
END
) AS counted
