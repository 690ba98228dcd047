CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_tree" AS
WITH RECURSIVE
counted AS MATERIALIZED (
  SELECT
    region AS key_1,
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM temp.main."sqlgen_region_0" AS cell
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
),
passing AS MATERIALIZED (
  SELECT class.key_1 AS number
  FROM class
  JOIN (
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
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(0.999999899 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 1 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
    ) AS judged
  ) AS verdict
    ON class.class_id = verdict.class_id
  WHERE NOT verdict.fails
),
kept AS MATERIALIZED (
  SELECT number, MIN(parent) AS parent, MIN([level_1, level_2]) AS levels, MIN([id_1, id_2]) AS ids
  FROM temp.main."sqlgen_region_kept"
  GROUP BY number
),
needed AS (
  SELECT kept.number, kept.parent
  FROM kept
  JOIN passing
    ON kept.number = passing.number
  UNION
  SELECT kept.number, kept.parent
  FROM kept
  JOIN needed
    ON kept.number = needed.parent
),
numbered AS MATERIALIZED (
  SELECT number, parent, ROW_NUMBER() OVER (ORDER BY number ASC) AS new_number
  FROM needed
)
SELECT
  numbered.new_number AS number,
  above.new_number AS parent,
  numbered.number IN (SELECT number FROM passing) AS is_shown,
  kept.levels,
  [label_1.label, label_2.label] AS labels,
  CAST(NULL AS VARCHAR[]) AS spans,
  numbered.number AS old_number
FROM numbered
JOIN kept
  ON numbered.number = kept.number
JOIN temp.main."sqlgen_region_label" AS label_1
  ON label_1.ladder = 1
  AND label_1.level = kept.levels[1]
  AND label_1.id = kept.ids[1]
JOIN temp.main."sqlgen_region_label" AS label_2
  ON label_2.ladder = 2
  AND label_2.level = kept.levels[2]
  AND label_2.id = kept.ids[2]
LEFT JOIN numbered AS above
  ON numbered.parent = above.number
