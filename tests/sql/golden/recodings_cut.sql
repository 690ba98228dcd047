CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_0" AS
WITH
counted AS MATERIALIZED (
  SELECT
    region AS key_1,
    quasi AS key_2,
    place AS key_3,
    is_below AS key_4,
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM (
  SELECT
    cell.region,
    candidate.quasi,
    candidate.place,
    CASE candidate.quasi WHEN 1 THEN cell.place_1 WHEN 2 THEN cell.place_2 END <= candidate.place AS is_below,
    cell.v1,
    cell.row_count
  FROM temp.main."sqlgen_cut_cell" AS cell
  JOIN temp.main."sqlgen_cut_candidate_0" AS candidate
    ON cell.region = candidate.region
) AS cell
  GROUP BY region, quasi, place, is_below, v1
),
class AS MATERIALIZED (
  SELECT
    key_1,
    key_2,
    key_3,
    key_4,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY key_1, key_2, key_3, key_4
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
    ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2 AND counted.key_3 IS NOT DISTINCT FROM class.key_3 AND counted.key_4 IS NOT DISTINCT FROM class.key_4
  WHERE NOT (class_size < 3)
),
allowed AS (
  SELECT class.key_1 AS region, class.key_2 AS quasi, class.key_3 AS place
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
  GROUP BY class.key_1, class.key_2, class.key_3
  HAVING BOOL_AND(COALESCE(NOT verdict.fails, FALSE))
)
SELECT region, quasi, place, rows_below, rows_here, ROW_NUMBER() OVER (ORDER BY region ASC) AS number
FROM (
  SELECT
    candidate.region,
    candidate.quasi,
    candidate.place,
    candidate.rows_below,
    candidate.rows_here,
    ROW_NUMBER() OVER (
      PARTITION BY candidate.region
      ORDER BY candidate.width DESC, candidate.quasi ASC, candidate.choice ASC, candidate.place ASC
    ) AS preference
  FROM temp.main."sqlgen_cut_candidate_0" AS candidate
  JOIN allowed
    ON candidate.region = allowed.region
    AND candidate.quasi = allowed.quasi
    AND candidate.place = allowed.place
) AS preferred
WHERE preference = 1
