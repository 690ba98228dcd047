CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_kept" AS
WITH
counted AS MATERIALIZED (
  SELECT
    word_1 & 67 AS word_1,
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM temp.main."sqlgen_value_cell" AS cell
  GROUP BY word_1 & 67, v1
),
class AS MATERIALIZED (
  SELECT
    word_1,
    CAST((word_1 >> 0) & 3 AS UTINYINT) AS key_1,
    CAST((word_1 >> 6) & 1 AS UTINYINT) AS key_2,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY word_1
),
class_0 AS (
  SELECT class_id, class_size
  FROM class
  WHERE NOT (class_size < 3)
),
class_cell_0 AS MATERIALIZED (
  SELECT
    class.class_id,
    class.class_size,
    counted.v1,
    counted.row_count
  FROM counted
  JOIN class
    ON counted.word_1 = class.word_1
  WHERE NOT (class_size < 3)
)
SELECT
  class.key_1,
  class.key_2,
  class.class_size,
  verdict.* EXCLUDE (class_size)
FROM class
LEFT JOIN (
  WITH
    block_1 AS MATERIALIZED (
      SELECT
        class_id,
        ROW_NUMBER() OVER () AS block_id,
        CAST(SUM(row_count) AS BIGINT) AS block_size
      FROM class_cell_0
      GROUP BY class_id
    ),
    histogram_1 AS MATERIALIZED (
      SELECT
        block.block_id AS class_id,
        block.block_size AS class_size,
        cell.v1 AS value_id,
        CAST(SUM(cell.row_count) AS BIGINT) AS value_count
      FROM class_cell_0 AS cell
      JOIN block_1 AS block
        ON cell.class_id = block.class_id
      GROUP BY block.block_id, block.block_size, cell.v1
    )
  SELECT
    class_id,
    class_size,
    fails_1 OR fails_2 AS fails,
    LEAST(class_size, GREATEST(0, repair_1, repair_2)) AS repair,
    figure_1,
    fails_1,
    figure_2,
    fails_2
  FROM (
    SELECT
      class.class_id,
      class.class_size,
      class_size AS figure_1,
      class_size < 3 AS fails_1,
      CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
      verdict_2.figure AS figure_2,
      CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(0.999999899 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
      CASE
        WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_2
    FROM class_0 AS class
    LEFT JOIN (
      SELECT
        block.class_id,
        BOOL_OR(COALESCE(verdict.fails, TRUE) OR NOT COALESCE(verdict.figure >= CAST(0.999999899 AS DOUBLE) AND verdict.figure <= 1.7976931348623157e308, FALSE)) AS fails,
        MIN(verdict.figure) AS figure,
        SUM(CASE WHEN verdict.fails THEN LEAST(GREATEST(verdict.repair, 0), block.block_size) ELSE 0 END) AS repair
      FROM (
        SELECT
          class_id,
          COUNT(*) < 1 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict
      JOIN block_1 AS block
        ON verdict.class_id = block.block_id
      GROUP BY block.class_id
    ) AS verdict_2
      ON class.class_id = verdict_2.class_id
  ) AS judged
) AS verdict
  ON class.class_id = verdict.class_id
