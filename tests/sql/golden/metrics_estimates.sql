WITH
node_class AS (
  SELECT
    CAST((word_1 >> 0) & 3 AS UTINYINT) AS key_1,
    CAST((word_1 >> 6) & 1 AS UTINYINT) AS key_2,
    class_size,
    NOT (class_size < 3) AS is_released
  FROM (
    SELECT
      word_1 & 67 AS word_1,
      CAST(SUM(row_count) AS BIGINT) AS class_size
    FROM temp.main."sqlgen_cell"
    GROUP BY word_1 & 67
  ) AS class_size
)
SELECT
  0 AS query,
  COALESCE(SUM(share ORDER BY share ASC), 0) AS row_count
FROM (
  SELECT cell.row_count * part_1.share * part_2.share * CAST(1 AS DOUBLE) AS share
  FROM node_class
  JOIN temp.main."sqlgen_value_cell" AS cell
    ON cell."q1_0" = node_class.key_1 AND cell."q2_1" = node_class.key_2
  JOIN (
    SELECT id_0
    FROM temp.main."sqlgen_ladder_3"
    WHERE COALESCE(CAST(("value" = 'flu') AS TEXT) = 'true', FALSE)
  ) AS met_1
    ON cell.v1 = met_1.id_0
  JOIN (
    SELECT
      id_0 AS id,
      CAST(COUNT(*) FILTER (WHERE COALESCE(CAST(("value" > '4') AS TEXT) = 'true', FALSE)) AS DOUBLE) / COUNT(*) AS share
    FROM temp.main."sqlgen_ladder_1"
    WHERE is_kept
    GROUP BY id_0
  ) AS part_1
    ON part_1.id = node_class.key_1
  JOIN (
    SELECT
      id_1 AS id,
      CAST(COUNT(*) FILTER (WHERE COALESCE(CAST(("value" < 25) AS TEXT) = 'true', FALSE)) AS DOUBLE) / COUNT(*) AS share
    FROM temp.main."sqlgen_ladder_2"
    WHERE is_kept
    GROUP BY id_1
  ) AS part_2
    ON part_2.id = node_class.key_2
  WHERE node_class.is_released
) AS counted
