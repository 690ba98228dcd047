-- releasing/empty
LEAST(measured.masked_rows, (
  SELECT CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count
  FROM (
    SELECT COUNT(*) AS row_count
    FROM (
      WITH source_row AS MATERIALIZED (
        SELECT
          q1.id AS q1,
          q2.id AS q2,
          CAST("source"."disease" AS VARCHAR) COLLATE C AS unit_1
        FROM "memory"."main"."patients" AS source
        JOIN temp.main."sqlgen_lookup_1" AS q1
          ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
          AND q1.is_kept
        JOIN temp.main."sqlgen_lookup_2" AS q2
          ON "source"."age" IS NOT DISTINCT FROM q2.value
          AND q2.is_kept
      ),
      shown_class AS MATERIALIZED (
        SELECT *, ROW_NUMBER() OVER () AS class_id
        FROM (
          SELECT DISTINCT
            CAST("zip" AS VARCHAR) COLLATE C AS q1,
            CAST("age" AS VARCHAR) COLLATE C AS q2
          FROM "memory"."main"."matched"
        ) AS shown
      ),
      released_class AS MATERIALIZED (
        SELECT
          named_q1.id AS q1,
          named_q2.id AS q2,
          shown_class.class_id
        FROM shown_class
        JOIN (
          SELECT DISTINCT CAST(label AS VARCHAR) COLLATE C AS called, id
          FROM temp.main."sqlgen_lookup_1"
          WHERE is_kept
        ) AS named_q1
          ON shown_class.q1 IS NOT DISTINCT FROM named_q1.called
        JOIN (
          SELECT DISTINCT CAST(label AS VARCHAR) COLLATE C AS called, id
          FROM temp.main."sqlgen_lookup_2"
          WHERE is_kept
        ) AS named_q2
          ON shown_class.q2 IS NOT DISTINCT FROM named_q2.called
      )
      SELECT
        released_class.class_id AS "class_id",
        source_row.unit_1 AS "disease"
      FROM source_row
      JOIN released_class
        ON source_row.q1 = released_class.q1 AND source_row.q2 = released_class.q2
    ) AS behind
    GROUP BY "class_id"
    HAVING COUNT("disease") = 0
  ) AS empty_class
))
