CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_alike_judged_0" AS
WITH
counted AS MATERIALIZED (
  SELECT
    region AS key_1,
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM (SELECT part.*, groups.region FROM temp.main."sqlgen_group_part" AS part JOIN (SELECT part, region FROM temp.main."sqlgen_alike_group_0") AS groups ON part.part = groups.part) AS cell
  GROUP BY region, v1
),
class AS MATERIALIZED (
  SELECT
    key_1,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY key_1
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
    ON counted.key_1 IS NOT DISTINCT FROM class.key_1
  WHERE NOT (class_size < 3)
)
SELECT class.key_1 AS region, COALESCE(verdict.fails, TRUE) AS fails
FROM class
LEFT JOIN (
  WITH
    histogram_1 AS (
      SELECT
        class_id,
        class_size,
        v1 AS value_id,
        row_count AS value_count
      FROM class_cell_0
    ),
    sized_1 AS (
      SELECT class_id, class_size
      FROM class_0
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
      CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
      CASE
        WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_2
    FROM class_0 AS class
    LEFT JOIN (
      SELECT
        class_id,
        COUNT(*) < 2 AS fails,
        COUNT(*) AS figure,
        class_size AS repair
      FROM histogram_1
      GROUP BY class_id, class_size
    ) AS verdict_2
      ON class.class_id = verdict_2.class_id
  ) AS judged
) AS verdict
  ON class.class_id = verdict.class_id
