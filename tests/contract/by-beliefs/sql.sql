-- exit: 0
-- stderr: Using policy.lock.

-- release table released, all or nothing
BEGIN TRANSACTION;

-- stop here where a function or a setting means something else
SELECT
  CASE
    WHEN EXISTS (
      SELECT function_name
      FROM system.main.duckdb_functions()
      WHERE NOT internal
      AND system.main.lower(function_name) IN ('%', '*', '+', '-', '/', 'abs', 'array_extract', 'array_slice', 'bool_and', 'bool_or', 'ceil', 'contains', 'count', 'count_star', 'dense_rank', 'duckdb_tables', 'element_at', 'error', 'get_current_timestamp', 'greatest', 'lead', 'least', 'length', 'list_extract', 'list_position', 'list_slice', 'list_value', 'map_extract', 'map_extract_value', 'max', 'min', 'now', 'quantile_disc', 'range', 'repeat', 'row', 'row_number', 'struct_extract', 'substring', 'sum', 'timezone', 'translate', 'unnest', 'version', '||')
      AND system.main.list_contains(
        CAST(system.main.lower(CAST(system.main.current_schemas(TRUE) AS VARCHAR)) AS VARCHAR[]),
        system.main.lower(schema_name)
      )
      AND (
        database_name = 'temp'
        OR system.main.lower(database_name) = system.main.lower(system.main.current_database())
        OR system.main.regexp_matches(database_name, '\W')
        OR system.main.list_contains(
          system.main.string_split_regex(system.main.lower(system.main.current_setting('search_path')), '\W+'),
          system.main.lower(database_name)
        )
      )
    )
      THEN system.main.error('a macro has the name of a function that is called here; nothing was changed')
    WHEN EXISTS (
      SELECT name, value
      FROM system.main.duckdb_settings()
      WHERE FALSE
        OR (name = 'Calendar' AND system.main.lower(value) IS DISTINCT FROM 'gregorian')
        OR (name = 'dialect_compatibility_mode' AND system.main.lower(value) IS DISTINCT FROM 'none')
        OR (name = 'explain_output' AND system.main.lower(value) IS DISTINCT FROM 'physical_only')
        OR (name = 'integer_division' AND system.main.lower(value) IS DISTINCT FROM 'false')
    )
      THEN system.main.error('a setting changes what is computed here; nothing was changed')
  END AS meanings;

DROP TABLE IF EXISTS temp.main."sqlgen_audit";

-- stop here, and undo, where something else has the name
SELECT CASE WHEN COUNT(*) > 0 THEN system.main.error('something has the name of the release; nothing was changed') END AS guard
FROM information_schema.tables
WHERE TRANSLATE(table_catalog, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic'
  AND TRANSLATE(table_schema, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main'
  AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released';

-- zip: level 0 of 2, the value itself
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_lookup_1" AS
WITH labelled AS (
  SELECT
    *,
    CASE
      WHEN value IS NULL THEN NULL
      WHEN label_1 IS NULL THEN 1
    END AS missing_level
  FROM (
    SELECT
      value,
      row_count,
      CASE
              WHEN LENGTH(CAST(value AS VARCHAR)) > 3
                THEN SUBSTRING(CAST(value AS VARCHAR), 1, 3)
                  || REPEAT('*', LENGTH(CAST(value AS VARCHAR)) - 3)
              ELSE CAST(value AS VARCHAR)
            END AS label_1
    FROM (
      SELECT CAST("source"."zip" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
      FROM "clinic"."main"."patients" AS source
      GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
    ) AS value_count
  ) AS labels
),
labelled_value AS (
  SELECT
    value,
    missing_level,
    TRUE AS is_kept,
    CAST(value AS VARCHAR) COLLATE C AS label
  FROM labelled
  WHERE row_count > 0
)
SELECT
  *,
  CAST(DENSE_RANK() OVER (ORDER BY label ASC NULLS FIRST) AS UINTEGER) AS id
FROM labelled_value;

-- age: level 1 of 2, intervals of 5
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_lookup_2" AS
WITH labelled AS (
  SELECT
    *,
    CASE
      WHEN value IS NULL THEN NULL
      WHEN label_1 IS NULL THEN 1
    END AS missing_level
  FROM (
    SELECT
      value,
      row_count,
      '[' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 5 + 5) % 5 AS DECIMAL(38, 0)) AS VARCHAR)
              || ', ' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 5 + 5) % 5 + 5 AS DECIMAL(38, 0)) AS VARCHAR)
              || ')' AS label_1
    FROM (
      SELECT "source"."age" AS value, COUNT(*) AS row_count
      FROM "clinic"."main"."patients" AS source
      GROUP BY "source"."age"
    ) AS value_count
  ) AS labels
),
labelled_value AS (
  SELECT
    value,
    missing_level,
    TRUE AS is_kept,
    CAST((CASE
      WHEN value IS NULL THEN NULL
      WHEN missing_level IS NOT NULL THEN NULL
      ELSE label_1
    END) COLLATE C AS VARCHAR) COLLATE C AS label
  FROM labelled
  WHERE row_count > 0
)
SELECT
  *,
  CAST(DENSE_RANK() OVER (ORDER BY label ASC NULLS FIRST) AS UINTEGER) AS id
FROM labelled_value;

-- the release: labels in place of values, failing classes left out
CREATE TABLE "clinic"."main"."released" AS
WITH cell AS MATERIALIZED (
  SELECT
    q1.id AS q1,
    q2.id AS q2,
    CAST("source"."disease" AS VARCHAR) COLLATE C AS kept_1,
    COUNT(*) AS row_count
  FROM "clinic"."main"."patients" AS source
  JOIN temp.main."sqlgen_lookup_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_lookup_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  GROUP BY q1.id, q2.id, CAST("source"."disease" AS VARCHAR) COLLATE C
),
value_1 AS MATERIALIZED (
  WITH labelled AS (
    SELECT
      *,
      CASE
        WHEN value IS NULL THEN NULL
        WHEN label_1 IS NULL THEN 1
        WHEN NOT is_listed THEN 2
      END AS missing_level
    FROM (
      SELECT
        COALESCE(value_count.value, leaf.value) AS value,
        COALESCE(value_count.row_count, 0) AS row_count,
        leaf.value IS NOT NULL AS is_listed,
        leaf.label_1
      FROM (
        SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
        FROM (
    SELECT CAST("disease" AS VARCHAR) AS "disease"
    FROM (SELECT kept_1 AS "disease" FROM cell)
    UNION ALL
    SELECT CAST("disease" AS VARCHAR) AS "disease"
    FROM (
      SELECT
        "zip",
        CAST("age" AS INTEGER) AS "age",
        "disease",
        "weight"
      FROM "clinic"."main"."town"
    )
  ) AS source
        GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
      ) AS value_count
      FULL JOIN (
        SELECT DISTINCT
          TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
          CAST(field_1 AS VARCHAR) COLLATE C AS label_1
        FROM (VALUES
          ('flu', 'ill', '*'),
          ('ulcer', 'ill', '*')
        ) AS line (field_0, field_1, field_2)
        WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
      ) AS leaf
        ON value_count.value = leaf.value
    ) AS labels
  ),
  leaf AS (
    SELECT
      value,
      row_count,
      missing_level,
      TRUE AS is_kept,
      value AS final_0,
      (CASE
            WHEN value IS NULL THEN NULL
            WHEN missing_level IS NOT NULL THEN NULL
            ELSE label_1
          END) COLLATE C AS final_1
    FROM labelled
  )
  SELECT
    value,
    row_count,
    missing_level,
    is_kept,
    CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
    CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1,
    ROW_NUMBER() OVER (ORDER BY CASE WHEN value IS NOT NULL THEN LIST_POSITION([TRY_CAST('flu' AS VARCHAR), TRY_CAST('ulcer' AS VARCHAR)], value) END ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
  FROM leaf
),
valued_cell AS (
  SELECT
    cell.*,
    value_1.id_0 AS v1
  FROM cell AS cell
  JOIN value_1
    ON cell.kept_1 IS NOT DISTINCT FROM value_1.value
),
counted AS MATERIALIZED (
  SELECT
    q1 AS key_1,
    q2 AS key_2,
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM valued_cell AS cell
  GROUP BY q1, q2, v1
),
class AS MATERIALIZED (
  SELECT
    key_1,
    key_2,
    BOOL_AND(COALESCE(v1 = (SELECT MIN(id_0) FROM value_1 WHERE value IS NULL), FALSE)) AS is_masked,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY key_1, key_2
),
class_0 AS (
  SELECT class_id, class_size, is_masked, is_masked AS was_empty
  FROM class
  WHERE NOT (class_size < 3)
),
class_cell_0 AS MATERIALIZED (
  SELECT
    class.class_id,
    class.class_size,
    class.is_masked,
    counted.v1,
    counted.row_count
  FROM counted
  JOIN class
    ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2
  WHERE NOT (class_size < 3)
),
shown_cell_0 AS (
  SELECT *
  FROM class_cell_0
  WHERE NOT is_masked
),
person_1 AS MATERIALIZED (
  SELECT
    DENSE_RANK() OVER (ORDER BY q1 ASC NULLS FIRST, q2 ASC NULLS FIRST) AS person_id,
    *
  FROM (
    SELECT
      CAST("referred"."zip" AS VARCHAR) COLLATE C AS q1,
      "referred"."age" AS q2,
      value.id_0 AS value_id,
      CAST(SUM(CAST(referred."weight" * 10 AS HUGEINT)) AS BIGINT) AS person_count
    FROM (
    SELECT
      "zip",
      CAST("age" AS INTEGER) AS "age",
      "disease",
      "weight"
    FROM "clinic"."main"."town"
  ) AS referred
    JOIN value_1 AS value
      ON CAST(CAST("referred"."disease" AS VARCHAR) COLLATE C AS VARCHAR) IS NOT DISTINCT FROM value.value
    GROUP BY CAST("referred"."zip" AS VARCHAR) COLLATE C, "referred"."age", value.id_0
    HAVING SUM(CAST(referred."weight" * 10 AS HUGEINT)) > 0
  ) AS person
),
people_1 AS MATERIALIZED (
  SELECT
    class.class_id,
    matched.person_id,
    matched.value_id,
    matched.person_count
  FROM (
    WITH named_person AS MATERIALIZED (
      SELECT
        name_1.id AS key_1,
        name_2.id AS key_2,
        person.person_id,
        person.value_id,
        person.person_count
      FROM person_1 AS person
      JOIN (
        SELECT DISTINCT named.value, shown.id
        FROM (
          WITH labelled AS (
            SELECT
              *,
              CASE
                WHEN value IS NULL THEN NULL
                WHEN label_1 IS NULL THEN 1
              END AS missing_level
            FROM (
              SELECT
                value,
                row_count,
                CASE
                        WHEN LENGTH(CAST(value AS VARCHAR)) > 3
                          THEN SUBSTRING(CAST(value AS VARCHAR), 1, 3)
                            || REPEAT('*', LENGTH(CAST(value AS VARCHAR)) - 3)
                        ELSE CAST(value AS VARCHAR)
                      END AS label_1
              FROM (
                SELECT CAST("source"."zip" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
                FROM (
            SELECT
              "zip",
              CAST("age" AS INTEGER) AS "age",
              "disease",
              "weight"
            FROM "clinic"."main"."town"
          ) AS source
                GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
              ) AS value_count
            ) AS labels
          ),
          kept AS (
            SELECT *, TRUE AS is_kept
            FROM labelled
          )
          SELECT value, 0 AS level, CAST(value AS VARCHAR) COLLATE C AS label
          FROM kept
          WHERE is_kept AND row_count > 0
        ) AS named
        JOIN (SELECT DISTINCT CAST(label AS VARCHAR) COLLATE C AS called, id AS id FROM temp.main."sqlgen_lookup_1" WHERE is_kept) AS shown
          ON named.label IS NOT DISTINCT FROM shown.called
      ) AS name_1
        ON person.q1 IS NOT DISTINCT FROM name_1.value
      JOIN (
        SELECT DISTINCT named.value, shown.id
        FROM (
          WITH labelled AS (
            SELECT
              *,
              CASE
                WHEN value IS NULL THEN NULL
                WHEN label_1 IS NULL THEN 1
              END AS missing_level
            FROM (
              SELECT
                value,
                row_count,
                '[' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 5 + 5) % 5 AS DECIMAL(38, 0)) AS VARCHAR)
                        || ', ' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 5 + 5) % 5 + 5 AS DECIMAL(38, 0)) AS VARCHAR)
                        || ')' AS label_1
              FROM (
                SELECT "source"."age" AS value, COUNT(*) AS row_count
                FROM (
            SELECT
              "zip",
              CAST("age" AS INTEGER) AS "age",
              "disease",
              "weight"
            FROM "clinic"."main"."town"
          ) AS source
                GROUP BY "source"."age"
              ) AS value_count
            ) AS labels
          ),
          kept AS (
            SELECT *, TRUE AS is_kept
            FROM labelled
          )
          SELECT value, 1 AS level, CAST((CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_1
              END) COLLATE C AS VARCHAR) COLLATE C AS label
          FROM kept
          WHERE is_kept AND row_count > 0 AND missing_level IS NULL
        ) AS named
        JOIN (SELECT DISTINCT CAST(label AS VARCHAR) COLLATE C AS called, id AS id FROM temp.main."sqlgen_lookup_2" WHERE is_kept) AS shown
          ON named.label IS NOT DISTINCT FROM shown.called
      ) AS name_2
        ON person.q2 IS NOT DISTINCT FROM name_2.value
    )
    SELECT *
    FROM named_person
  ) AS matched
  JOIN class
    ON class.key_1 IS NOT DISTINCT FROM matched.key_1 AND class.key_2 IS NOT DISTINCT FROM matched.key_2
),
class_1 AS MATERIALIZED (
  SELECT class_id, class_size, masks_sensitive AS is_masked, was_empty
  FROM (
    WITH
      histogram_1 AS (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          row_count AS value_count
        FROM shown_cell_0
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_0
        WHERE NOT is_masked
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM shown_cell_0
        GROUP BY v1
      ),
      total_1 AS MATERIALIZED (
        SELECT
          CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
          COUNT(*) AS reference_values,
          0 AS vanishing_values,
          0 AS reference_drift,
          COUNT(*) AS lasting_values
        FROM reference_1
      ),
      compared_1 AS MATERIALIZED (
        SELECT
          histogram.*,
          COALESCE(reference.reference_count, 0) AS reference_count,
          total.reference_rows,
          total.reference_values,
          total.vanishing_values,
          total.reference_drift,
          total.lasting_values
        FROM histogram_1 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_1 AS total
      )
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 AS fails,
      is_masked,
      was_empty,
      fails_1 AS drops,
      is_masked OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 AS masks_sensitive,
      LEAST(class_size, GREATEST(0, repair_1)) AS repair,
      figure_1,
      fails_1,
      figure_2,
      fails_2,
      figure_3,
      fails_3,
      figure_4,
      fails_4,
      figure_5,
      fails_5,
      figure_6,
      fails_6
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        class.is_masked,
        class.was_empty,
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(0.009999998000000000208166796301 AS DOUBLE) AND verdict_3.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4,
        verdict_5.figure AS figure_5,
        CASE WHEN verdict_5.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_5.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_5,
        CASE
          WHEN NOT COALESCE(verdict_5.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_5,
        verdict_6.figure AS figure_6,
        CASE WHEN verdict_6.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_6,
        CASE
          WHEN NOT COALESCE(verdict_6.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_6
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(contradicts OR posterior_part * 1 > 1 * posterior_whole * (1 + 1e-12)) AS fails,
          MAX(CASE WHEN contradicts THEN 1 ELSE posterior_part / posterior_whole END) AS figure,
          0 AS repair
        FROM (
          WITH block AS (
            SELECT class_id, value_id, SUM(person_count) AS block_count
            FROM people_1
            GROUP BY class_id, value_id
          ),
          weighed AS (
            SELECT
              people.class_id,
              people.person_id,
              people.person_count,
              COALESCE(histogram.value_count, 0) * (people.person_count / block.block_count) AS weight
            FROM people_1 AS people
            JOIN block
              ON people.class_id = block.class_id
              AND people.value_id = block.value_id
            LEFT JOIN histogram_1 AS histogram
              ON people.class_id = histogram.class_id
              AND people.value_id = histogram.value_id
          ),
          person AS (
            SELECT
              class_id,
              person_id,
              SUM(person_count) AS person_count,
              SUM(weight) AS weight,
              COUNT(*) AS value_count
            FROM weighed
            GROUP BY class_id, person_id
          )
          SELECT
            weighed.class_id,
            CAST(weighed.person_count AS HUGEINT) AS prior_part,
            CAST(person.person_count AS HUGEINT) AS prior_whole,
            weighed.weight AS posterior_part,
            person.weight AS posterior_whole,
            FALSE AS contradicts
          FROM weighed
          JOIN person
            ON weighed.class_id = person.class_id
            AND weighed.person_id = person.person_id
          WHERE person.weight > 0
          UNION ALL
          SELECT person.class_id, 0, 1, 0, 1, FALSE
          FROM person
          JOIN (SELECT class_id, COUNT(*) AS value_count FROM block GROUP BY class_id) AS possible
            ON person.class_id = possible.class_id
          WHERE person.weight > 0
            AND person.value_count < possible.value_count
          UNION ALL
          SELECT DISTINCT person.class_id, 0, 1, 0, 1, TRUE
          FROM person
          JOIN sized_1 AS sized
            ON person.class_id = sized.class_id
          WHERE NOT person.weight > 0
          UNION ALL
          SELECT histogram.class_id, 0, 1, 0, 1, TRUE
          FROM histogram_1 AS histogram
          LEFT JOIN block
            ON histogram.class_id = block.class_id
            AND histogram.value_id = block.value_id
          WHERE block.class_id IS NULL
        ) AS class_belief
        GROUP BY class_id
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(contradicts OR posterior_part * 100 < 1 * posterior_whole * (1 - 0)) AS fails,
          MIN(CASE WHEN contradicts THEN 0 ELSE posterior_part / posterior_whole END) AS figure,
          0 AS repair
        FROM (
          WITH ranked_value AS (
            SELECT
              value_id,
              reference_count,
              ROW_NUMBER() OVER (ORDER BY reference_count DESC, value_id ASC) AS place
            FROM reference_1
          ),
          first_absent AS (
            SELECT
              class_id,
              class_size,
              reference_rows,
              COALESCE(MAX(held) FILTER (WHERE held = place), 0) + 1 AS place
            FROM (
              SELECT
                histogram.class_id,
                histogram.class_size,
                histogram.reference_rows,
                ranked_value.place,
                ROW_NUMBER() OVER (PARTITION BY histogram.class_id ORDER BY ranked_value.place ASC) AS held
              FROM compared_1 AS histogram
              JOIN ranked_value
                ON histogram.value_id = ranked_value.value_id
            ) AS held_value
            GROUP BY class_id, class_size, reference_rows
          )
          SELECT
            class_id,
            CAST(reference_count AS HUGEINT) AS prior_part,
            CAST(reference_rows AS HUGEINT) AS prior_whole,
            CAST(value_count AS HUGEINT) AS posterior_part,
            CAST(class_size AS HUGEINT) AS posterior_whole,
            FALSE AS contradicts
          FROM compared_1
          UNION ALL
          SELECT
            first_absent.class_id,
            ranked_value.reference_count,
            first_absent.reference_rows,
            0,
            first_absent.class_size,
            FALSE
          FROM first_absent
          JOIN ranked_value
            ON first_absent.place = ranked_value.place
        ) AS class_belief
        GROUP BY class_id
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(
            contradicts
            OR (
              prior_part * 100 < 1 * prior_whole
              AND posterior_part * 100 > 99 * posterior_whole * (1 + 0)
            )
            OR (
              prior_part * 100 > 99 * prior_whole
              AND posterior_part * 100 < 1 * posterior_whole * (1 - 0)
            )
          ) AS fails,
          MAX(CASE WHEN contradicts THEN 1 ELSE ABS(posterior_part / posterior_whole - prior_part / prior_whole) END) AS figure,
          0 AS repair
        FROM (
          WITH ranked_value AS (
            SELECT
              value_id,
              reference_count,
              ROW_NUMBER() OVER (ORDER BY reference_count DESC, value_id ASC) AS place
            FROM reference_1
          ),
          first_absent AS (
            SELECT
              class_id,
              class_size,
              reference_rows,
              COALESCE(MAX(held) FILTER (WHERE held = place), 0) + 1 AS place
            FROM (
              SELECT
                histogram.class_id,
                histogram.class_size,
                histogram.reference_rows,
                ranked_value.place,
                ROW_NUMBER() OVER (PARTITION BY histogram.class_id ORDER BY ranked_value.place ASC) AS held
              FROM compared_1 AS histogram
              JOIN ranked_value
                ON histogram.value_id = ranked_value.value_id
            ) AS held_value
            GROUP BY class_id, class_size, reference_rows
          )
          SELECT
            class_id,
            CAST(reference_count AS HUGEINT) AS prior_part,
            CAST(reference_rows AS HUGEINT) AS prior_whole,
            CAST(value_count AS HUGEINT) AS posterior_part,
            CAST(class_size AS HUGEINT) AS posterior_whole,
            FALSE AS contradicts
          FROM compared_1
          UNION ALL
          SELECT
            first_absent.class_id,
            ranked_value.reference_count,
            first_absent.reference_rows,
            0,
            first_absent.class_size,
            FALSE
          FROM first_absent
          JOIN ranked_value
            ON first_absent.place = ranked_value.place
        ) AS class_belief
        GROUP BY class_id
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
      LEFT JOIN (
        WITH candidate AS (
          SELECT class_id, 1 AS superset, 1 AS member
          FROM class
          WHERE class_id IN (SELECT class_id FROM histogram_1)
          UNION ALL
          SELECT class_id, 2 AS superset, DENSE_RANK() OVER (ORDER BY key_1 ASC NULLS FIRST, TRUE ASC) AS member
          FROM class
          WHERE class_id IN (SELECT class_id FROM histogram_1)
        ),
        superset_value AS MATERIALIZED (
          SELECT
            candidate.superset,
            candidate.member,
            histogram.value_id,
            CAST(SUM(histogram.value_count) AS BIGINT) AS reference_count
          FROM histogram_1 AS histogram
          JOIN candidate
            ON histogram.class_id = candidate.class_id
          GROUP BY candidate.superset, candidate.member, histogram.value_id
        ),
        pair AS MATERIALIZED (
          SELECT
            ROW_NUMBER() OVER () AS pair_id,
            candidate.*,
            histogram.class_size,
            large.reference_rows,
            large.reference_values
          FROM candidate
          JOIN (SELECT DISTINCT class_id, class_size FROM histogram_1) AS histogram
            ON candidate.class_id = histogram.class_id
          JOIN (
            SELECT superset, member, CAST(SUM(reference_count) AS BIGINT) AS reference_rows, COUNT(*) AS reference_values
            FROM superset_value
            GROUP BY superset, member
            HAVING SUM(reference_count) >= 5
          ) AS large
            ON candidate.superset = large.superset
            AND candidate.member = large.member
        ),
        around AS MATERIALIZED (
          SELECT
            pair.pair_id AS class_id,
            pair.class_size,
            superset_value.value_id,
            COALESCE(histogram.value_count, 0) AS value_count,
            superset_value.reference_count,
            pair.reference_rows,
            pair.reference_values,
            0 AS reference_drift,
            0 AS vanishing_values
          FROM pair
          JOIN superset_value
            ON pair.superset = superset_value.superset
            AND pair.member = superset_value.member
          LEFT JOIN histogram_1 AS histogram
            ON pair.class_id = histogram.class_id
            AND superset_value.value_id = histogram.value_id
        ),
        around_held AS (
          SELECT *
          FROM around
          WHERE value_count > 0
        )
        SELECT
          class.class_id,
          COALESCE(BOOL_AND(verdict.fails), TRUE) AS fails,
          COALESCE(MIN(verdict.figure), CAST('infinity' AS DOUBLE)) AS figure,
          0 AS repair
        FROM (SELECT DISTINCT class_id FROM histogram_1) AS class
        LEFT JOIN pair
          ON class.class_id = pair.class_id
        LEFT JOIN (
          SELECT
            class_id,
            work * 1 > unit * 1 AS fails,
            work / unit AS figure,
            CAST(0 AS DOUBLE) AS repair
          FROM (
            SELECT
              class_id,
              class_size,
              work,
              unit,
              reference_drift / reference_rows + vanishing_values / GREATEST(reference_values - 1, 1) AS drift
            FROM (
              WITH position AS MATERIALIZED (
                SELECT
                  id_0 AS value_id,
                  ROW_NUMBER() OVER (ORDER BY position ASC) AS place
                FROM value_1
                WHERE id_0 IN (SELECT value_id FROM histogram_1)
              )
              SELECT
                class_id,
                class_size,
                reference_rows,
                reference_values,
                reference_drift,
                vanishing_values,
                COALESCE(SUM(places * ABS(CAST(reference_rows AS HUGEINT) * class_cumulative - CAST(class_size AS HUGEINT) * reference_cumulative)), 0) AS work,
                GREATEST(CAST((SELECT COUNT(*) - 1 FROM position) AS HUGEINT) * class_size * reference_rows, 1) AS unit
              FROM (
                SELECT
                  dense.*,
                  CAST(LEAD(position.place) OVER class_order - position.place AS HUGEINT) AS places,
                  CAST(SUM(dense.value_count) OVER class_order AS BIGINT) AS class_cumulative,
                  CAST(SUM(dense.reference_count) OVER class_order AS BIGINT) AS reference_cumulative
                FROM around AS dense
                JOIN position
                  ON dense.value_id = position.value_id
                WINDOW class_order AS (PARTITION BY dense.class_id ORDER BY position.place ASC)
              ) AS cumulative
              GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
            ) AS class_work
          ) AS class_distance
        ) AS verdict
          ON pair.pair_id = verdict.class_id
        GROUP BY class.class_id
      ) AS verdict_5
        ON class.class_id = verdict_5.class_id
      LEFT JOIN (
        WITH candidate AS (
          SELECT class_id, 1 AS superset, 1 AS member
          FROM class
          WHERE class_id IN (SELECT class_id FROM histogram_1)
        ),
        superset_value AS MATERIALIZED (
          SELECT
            candidate.superset,
            candidate.member,
            histogram.value_id,
            CAST(SUM(histogram.value_count) AS BIGINT) AS reference_count
          FROM histogram_1 AS histogram
          JOIN candidate
            ON histogram.class_id = candidate.class_id
          GROUP BY candidate.superset, candidate.member, histogram.value_id
        ),
        pair AS MATERIALIZED (
          SELECT
            ROW_NUMBER() OVER () AS pair_id,
            candidate.*,
            histogram.class_size,
            large.reference_rows,
            large.reference_values
          FROM candidate
          JOIN (SELECT DISTINCT class_id, class_size FROM histogram_1) AS histogram
            ON candidate.class_id = histogram.class_id
          JOIN (
            SELECT superset, member, CAST(SUM(reference_count) AS BIGINT) AS reference_rows, COUNT(*) AS reference_values
            FROM superset_value
            GROUP BY superset, member
            HAVING SUM(reference_count) >= 5
          ) AS large
            ON candidate.superset = large.superset
            AND candidate.member = large.member
        ),
        around AS MATERIALIZED (
          SELECT
            pair.pair_id AS class_id,
            pair.class_size,
            superset_value.value_id,
            COALESCE(histogram.value_count, 0) AS value_count,
            superset_value.reference_count,
            pair.reference_rows,
            pair.reference_values,
            0 AS reference_drift,
            0 AS vanishing_values
          FROM pair
          JOIN superset_value
            ON pair.superset = superset_value.superset
            AND pair.member = superset_value.member
          LEFT JOIN histogram_1 AS histogram
            ON pair.class_id = histogram.class_id
            AND superset_value.value_id = histogram.value_id
        ),
        around_held AS (
          SELECT *
          FROM around
          WHERE value_count > 0
        )
        SELECT
          class.class_id,
          COALESCE(BOOL_AND(verdict.fails), TRUE) AS fails,
          COALESCE(MIN(verdict.figure), CAST('infinity' AS DOUBLE)) AS figure,
          0 AS repair
        FROM (SELECT DISTINCT class_id FROM histogram_1) AS class
        LEFT JOIN pair
          ON class.class_id = pair.class_id
        LEFT JOIN (
          SELECT
            class_id,
            work * 1 > unit * 1 AS fails,
            work / unit AS figure,
            CAST(0 AS DOUBLE) AS repair
          FROM (
            SELECT
              class_id,
              class_size,
              work,
              unit,
              reference_drift / reference_rows AS drift
            FROM (
              SELECT
                class_id,
                class_size,
                reference_rows,
                reference_values,
                reference_drift,
                vanishing_values,
                SUM(ABS(CAST(reference_rows AS HUGEINT) * cut_count - CAST(class_size AS HUGEINT) * reference_count)) AS work,
                CAST(4 AS HUGEINT) * class_size * reference_rows AS unit
              FROM (
                SELECT
                  dense.class_id,
                  dense.class_size,
                  dense.reference_rows,
                  dense.reference_values,
                  dense.reference_drift,
                  dense.vanishing_values,
                  CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
                  CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
                FROM around AS dense
                JOIN value_1 AS value
                  ON dense.value_id = value.id_0
                GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_0
                UNION ALL
                SELECT
                  dense.class_id,
                  dense.class_size,
                  dense.reference_rows,
                  dense.reference_values,
                  dense.reference_drift,
                  dense.vanishing_values,
                  CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
                  CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
                FROM around AS dense
                JOIN value_1 AS value
                  ON dense.value_id = value.id_0
                GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_1
              ) AS cut
              GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
            ) AS class_work
          ) AS class_distance
        ) AS verdict
          ON pair.pair_id = verdict.class_id
        GROUP BY class.class_id
      ) AS verdict_6
        ON class.class_id = verdict_6.class_id
    ) AS judged
  ) AS verdict
  WHERE NOT drops
),
class_cell_1 AS MATERIALIZED (
  SELECT
    class.*,
    cell.v1,
    cell.row_count
  FROM class_cell_0 AS cell
  JOIN class_1 AS class
    ON cell.class_id = class.class_id
),
shown_cell_1 AS (
  SELECT *
  FROM class_cell_1
  WHERE NOT is_masked
),
class_2 AS MATERIALIZED (
  SELECT class_id, class_size, masks_sensitive AS is_masked, was_empty
  FROM (
    WITH
      histogram_1 AS (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          row_count AS value_count
        FROM shown_cell_1
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_1
        WHERE NOT is_masked
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM shown_cell_1
        GROUP BY v1
      ),
      total_1 AS MATERIALIZED (
        SELECT
          CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
          COUNT(*) AS reference_values,
          0 AS vanishing_values,
          0 AS reference_drift,
          COUNT(*) AS lasting_values
        FROM reference_1
      ),
      compared_1 AS MATERIALIZED (
        SELECT
          histogram.*,
          COALESCE(reference.reference_count, 0) AS reference_count,
          total.reference_rows,
          total.reference_values,
          total.vanishing_values,
          total.reference_drift,
          total.lasting_values
        FROM histogram_1 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_1 AS total
      )
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 AS fails,
      is_masked,
      was_empty,
      fails_1 AS drops,
      is_masked OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 AS masks_sensitive,
      LEAST(class_size, GREATEST(0, repair_1)) AS repair,
      figure_1,
      fails_1,
      figure_2,
      fails_2,
      figure_3,
      fails_3,
      figure_4,
      fails_4,
      figure_5,
      fails_5,
      figure_6,
      fails_6
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        class.is_masked,
        class.was_empty,
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(0.009999998000000000208166796301 AS DOUBLE) AND verdict_3.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4,
        verdict_5.figure AS figure_5,
        CASE WHEN verdict_5.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_5.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_5,
        CASE
          WHEN NOT COALESCE(verdict_5.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_5,
        verdict_6.figure AS figure_6,
        CASE WHEN verdict_6.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_6,
        CASE
          WHEN NOT COALESCE(verdict_6.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_6
      FROM class_1 AS class
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(contradicts OR posterior_part * 1 > 1 * posterior_whole * (1 + 1e-12)) AS fails,
          MAX(CASE WHEN contradicts THEN 1 ELSE posterior_part / posterior_whole END) AS figure,
          0 AS repair
        FROM (
          WITH block AS (
            SELECT class_id, value_id, SUM(person_count) AS block_count
            FROM people_1
            GROUP BY class_id, value_id
          ),
          weighed AS (
            SELECT
              people.class_id,
              people.person_id,
              people.person_count,
              COALESCE(histogram.value_count, 0) * (people.person_count / block.block_count) AS weight
            FROM people_1 AS people
            JOIN block
              ON people.class_id = block.class_id
              AND people.value_id = block.value_id
            LEFT JOIN histogram_1 AS histogram
              ON people.class_id = histogram.class_id
              AND people.value_id = histogram.value_id
          ),
          person AS (
            SELECT
              class_id,
              person_id,
              SUM(person_count) AS person_count,
              SUM(weight) AS weight,
              COUNT(*) AS value_count
            FROM weighed
            GROUP BY class_id, person_id
          )
          SELECT
            weighed.class_id,
            CAST(weighed.person_count AS HUGEINT) AS prior_part,
            CAST(person.person_count AS HUGEINT) AS prior_whole,
            weighed.weight AS posterior_part,
            person.weight AS posterior_whole,
            FALSE AS contradicts
          FROM weighed
          JOIN person
            ON weighed.class_id = person.class_id
            AND weighed.person_id = person.person_id
          WHERE person.weight > 0
          UNION ALL
          SELECT person.class_id, 0, 1, 0, 1, FALSE
          FROM person
          JOIN (SELECT class_id, COUNT(*) AS value_count FROM block GROUP BY class_id) AS possible
            ON person.class_id = possible.class_id
          WHERE person.weight > 0
            AND person.value_count < possible.value_count
          UNION ALL
          SELECT DISTINCT person.class_id, 0, 1, 0, 1, TRUE
          FROM person
          JOIN sized_1 AS sized
            ON person.class_id = sized.class_id
          WHERE NOT person.weight > 0
          UNION ALL
          SELECT histogram.class_id, 0, 1, 0, 1, TRUE
          FROM histogram_1 AS histogram
          LEFT JOIN block
            ON histogram.class_id = block.class_id
            AND histogram.value_id = block.value_id
          WHERE block.class_id IS NULL
        ) AS class_belief
        GROUP BY class_id
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(contradicts OR posterior_part * 100 < 1 * posterior_whole * (1 - 0)) AS fails,
          MIN(CASE WHEN contradicts THEN 0 ELSE posterior_part / posterior_whole END) AS figure,
          0 AS repair
        FROM (
          WITH ranked_value AS (
            SELECT
              value_id,
              reference_count,
              ROW_NUMBER() OVER (ORDER BY reference_count DESC, value_id ASC) AS place
            FROM reference_1
          ),
          first_absent AS (
            SELECT
              class_id,
              class_size,
              reference_rows,
              COALESCE(MAX(held) FILTER (WHERE held = place), 0) + 1 AS place
            FROM (
              SELECT
                histogram.class_id,
                histogram.class_size,
                histogram.reference_rows,
                ranked_value.place,
                ROW_NUMBER() OVER (PARTITION BY histogram.class_id ORDER BY ranked_value.place ASC) AS held
              FROM compared_1 AS histogram
              JOIN ranked_value
                ON histogram.value_id = ranked_value.value_id
            ) AS held_value
            GROUP BY class_id, class_size, reference_rows
          )
          SELECT
            class_id,
            CAST(reference_count AS HUGEINT) AS prior_part,
            CAST(reference_rows AS HUGEINT) AS prior_whole,
            CAST(value_count AS HUGEINT) AS posterior_part,
            CAST(class_size AS HUGEINT) AS posterior_whole,
            FALSE AS contradicts
          FROM compared_1
          UNION ALL
          SELECT
            first_absent.class_id,
            ranked_value.reference_count,
            first_absent.reference_rows,
            0,
            first_absent.class_size,
            FALSE
          FROM first_absent
          JOIN ranked_value
            ON first_absent.place = ranked_value.place
        ) AS class_belief
        GROUP BY class_id
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(
            contradicts
            OR (
              prior_part * 100 < 1 * prior_whole
              AND posterior_part * 100 > 99 * posterior_whole * (1 + 0)
            )
            OR (
              prior_part * 100 > 99 * prior_whole
              AND posterior_part * 100 < 1 * posterior_whole * (1 - 0)
            )
          ) AS fails,
          MAX(CASE WHEN contradicts THEN 1 ELSE ABS(posterior_part / posterior_whole - prior_part / prior_whole) END) AS figure,
          0 AS repair
        FROM (
          WITH ranked_value AS (
            SELECT
              value_id,
              reference_count,
              ROW_NUMBER() OVER (ORDER BY reference_count DESC, value_id ASC) AS place
            FROM reference_1
          ),
          first_absent AS (
            SELECT
              class_id,
              class_size,
              reference_rows,
              COALESCE(MAX(held) FILTER (WHERE held = place), 0) + 1 AS place
            FROM (
              SELECT
                histogram.class_id,
                histogram.class_size,
                histogram.reference_rows,
                ranked_value.place,
                ROW_NUMBER() OVER (PARTITION BY histogram.class_id ORDER BY ranked_value.place ASC) AS held
              FROM compared_1 AS histogram
              JOIN ranked_value
                ON histogram.value_id = ranked_value.value_id
            ) AS held_value
            GROUP BY class_id, class_size, reference_rows
          )
          SELECT
            class_id,
            CAST(reference_count AS HUGEINT) AS prior_part,
            CAST(reference_rows AS HUGEINT) AS prior_whole,
            CAST(value_count AS HUGEINT) AS posterior_part,
            CAST(class_size AS HUGEINT) AS posterior_whole,
            FALSE AS contradicts
          FROM compared_1
          UNION ALL
          SELECT
            first_absent.class_id,
            ranked_value.reference_count,
            first_absent.reference_rows,
            0,
            first_absent.class_size,
            FALSE
          FROM first_absent
          JOIN ranked_value
            ON first_absent.place = ranked_value.place
        ) AS class_belief
        GROUP BY class_id
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
      LEFT JOIN (
        WITH candidate AS (
          SELECT class_id, 1 AS superset, 1 AS member
          FROM class
          WHERE class_id IN (SELECT class_id FROM histogram_1)
          UNION ALL
          SELECT class_id, 2 AS superset, DENSE_RANK() OVER (ORDER BY key_1 ASC NULLS FIRST, TRUE ASC) AS member
          FROM class
          WHERE class_id IN (SELECT class_id FROM histogram_1)
        ),
        superset_value AS MATERIALIZED (
          SELECT
            candidate.superset,
            candidate.member,
            histogram.value_id,
            CAST(SUM(histogram.value_count) AS BIGINT) AS reference_count
          FROM histogram_1 AS histogram
          JOIN candidate
            ON histogram.class_id = candidate.class_id
          GROUP BY candidate.superset, candidate.member, histogram.value_id
        ),
        pair AS MATERIALIZED (
          SELECT
            ROW_NUMBER() OVER () AS pair_id,
            candidate.*,
            histogram.class_size,
            large.reference_rows,
            large.reference_values
          FROM candidate
          JOIN (SELECT DISTINCT class_id, class_size FROM histogram_1) AS histogram
            ON candidate.class_id = histogram.class_id
          JOIN (
            SELECT superset, member, CAST(SUM(reference_count) AS BIGINT) AS reference_rows, COUNT(*) AS reference_values
            FROM superset_value
            GROUP BY superset, member
            HAVING SUM(reference_count) >= 5
          ) AS large
            ON candidate.superset = large.superset
            AND candidate.member = large.member
        ),
        around AS MATERIALIZED (
          SELECT
            pair.pair_id AS class_id,
            pair.class_size,
            superset_value.value_id,
            COALESCE(histogram.value_count, 0) AS value_count,
            superset_value.reference_count,
            pair.reference_rows,
            pair.reference_values,
            0 AS reference_drift,
            0 AS vanishing_values
          FROM pair
          JOIN superset_value
            ON pair.superset = superset_value.superset
            AND pair.member = superset_value.member
          LEFT JOIN histogram_1 AS histogram
            ON pair.class_id = histogram.class_id
            AND superset_value.value_id = histogram.value_id
        ),
        around_held AS (
          SELECT *
          FROM around
          WHERE value_count > 0
        )
        SELECT
          class.class_id,
          COALESCE(BOOL_AND(verdict.fails), TRUE) AS fails,
          COALESCE(MIN(verdict.figure), CAST('infinity' AS DOUBLE)) AS figure,
          0 AS repair
        FROM (SELECT DISTINCT class_id FROM histogram_1) AS class
        LEFT JOIN pair
          ON class.class_id = pair.class_id
        LEFT JOIN (
          SELECT
            class_id,
            work * 1 > unit * 1 AS fails,
            work / unit AS figure,
            CAST(0 AS DOUBLE) AS repair
          FROM (
            SELECT
              class_id,
              class_size,
              work,
              unit,
              reference_drift / reference_rows + vanishing_values / GREATEST(reference_values - 1, 1) AS drift
            FROM (
              WITH position AS MATERIALIZED (
                SELECT
                  id_0 AS value_id,
                  ROW_NUMBER() OVER (ORDER BY position ASC) AS place
                FROM value_1
                WHERE id_0 IN (SELECT value_id FROM histogram_1)
              )
              SELECT
                class_id,
                class_size,
                reference_rows,
                reference_values,
                reference_drift,
                vanishing_values,
                COALESCE(SUM(places * ABS(CAST(reference_rows AS HUGEINT) * class_cumulative - CAST(class_size AS HUGEINT) * reference_cumulative)), 0) AS work,
                GREATEST(CAST((SELECT COUNT(*) - 1 FROM position) AS HUGEINT) * class_size * reference_rows, 1) AS unit
              FROM (
                SELECT
                  dense.*,
                  CAST(LEAD(position.place) OVER class_order - position.place AS HUGEINT) AS places,
                  CAST(SUM(dense.value_count) OVER class_order AS BIGINT) AS class_cumulative,
                  CAST(SUM(dense.reference_count) OVER class_order AS BIGINT) AS reference_cumulative
                FROM around AS dense
                JOIN position
                  ON dense.value_id = position.value_id
                WINDOW class_order AS (PARTITION BY dense.class_id ORDER BY position.place ASC)
              ) AS cumulative
              GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
            ) AS class_work
          ) AS class_distance
        ) AS verdict
          ON pair.pair_id = verdict.class_id
        GROUP BY class.class_id
      ) AS verdict_5
        ON class.class_id = verdict_5.class_id
      LEFT JOIN (
        WITH candidate AS (
          SELECT class_id, 1 AS superset, 1 AS member
          FROM class
          WHERE class_id IN (SELECT class_id FROM histogram_1)
        ),
        superset_value AS MATERIALIZED (
          SELECT
            candidate.superset,
            candidate.member,
            histogram.value_id,
            CAST(SUM(histogram.value_count) AS BIGINT) AS reference_count
          FROM histogram_1 AS histogram
          JOIN candidate
            ON histogram.class_id = candidate.class_id
          GROUP BY candidate.superset, candidate.member, histogram.value_id
        ),
        pair AS MATERIALIZED (
          SELECT
            ROW_NUMBER() OVER () AS pair_id,
            candidate.*,
            histogram.class_size,
            large.reference_rows,
            large.reference_values
          FROM candidate
          JOIN (SELECT DISTINCT class_id, class_size FROM histogram_1) AS histogram
            ON candidate.class_id = histogram.class_id
          JOIN (
            SELECT superset, member, CAST(SUM(reference_count) AS BIGINT) AS reference_rows, COUNT(*) AS reference_values
            FROM superset_value
            GROUP BY superset, member
            HAVING SUM(reference_count) >= 5
          ) AS large
            ON candidate.superset = large.superset
            AND candidate.member = large.member
        ),
        around AS MATERIALIZED (
          SELECT
            pair.pair_id AS class_id,
            pair.class_size,
            superset_value.value_id,
            COALESCE(histogram.value_count, 0) AS value_count,
            superset_value.reference_count,
            pair.reference_rows,
            pair.reference_values,
            0 AS reference_drift,
            0 AS vanishing_values
          FROM pair
          JOIN superset_value
            ON pair.superset = superset_value.superset
            AND pair.member = superset_value.member
          LEFT JOIN histogram_1 AS histogram
            ON pair.class_id = histogram.class_id
            AND superset_value.value_id = histogram.value_id
        ),
        around_held AS (
          SELECT *
          FROM around
          WHERE value_count > 0
        )
        SELECT
          class.class_id,
          COALESCE(BOOL_AND(verdict.fails), TRUE) AS fails,
          COALESCE(MIN(verdict.figure), CAST('infinity' AS DOUBLE)) AS figure,
          0 AS repair
        FROM (SELECT DISTINCT class_id FROM histogram_1) AS class
        LEFT JOIN pair
          ON class.class_id = pair.class_id
        LEFT JOIN (
          SELECT
            class_id,
            work * 1 > unit * 1 AS fails,
            work / unit AS figure,
            CAST(0 AS DOUBLE) AS repair
          FROM (
            SELECT
              class_id,
              class_size,
              work,
              unit,
              reference_drift / reference_rows AS drift
            FROM (
              SELECT
                class_id,
                class_size,
                reference_rows,
                reference_values,
                reference_drift,
                vanishing_values,
                SUM(ABS(CAST(reference_rows AS HUGEINT) * cut_count - CAST(class_size AS HUGEINT) * reference_count)) AS work,
                CAST(4 AS HUGEINT) * class_size * reference_rows AS unit
              FROM (
                SELECT
                  dense.class_id,
                  dense.class_size,
                  dense.reference_rows,
                  dense.reference_values,
                  dense.reference_drift,
                  dense.vanishing_values,
                  CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
                  CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
                FROM around AS dense
                JOIN value_1 AS value
                  ON dense.value_id = value.id_0
                GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_0
                UNION ALL
                SELECT
                  dense.class_id,
                  dense.class_size,
                  dense.reference_rows,
                  dense.reference_values,
                  dense.reference_drift,
                  dense.vanishing_values,
                  CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
                  CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
                FROM around AS dense
                JOIN value_1 AS value
                  ON dense.value_id = value.id_0
                GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_1
              ) AS cut
              GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
            ) AS class_work
          ) AS class_distance
        ) AS verdict
          ON pair.pair_id = verdict.class_id
        GROUP BY class.class_id
      ) AS verdict_6
        ON class.class_id = verdict_6.class_id
    ) AS judged
  ) AS verdict
  WHERE NOT drops
),
class_cell_2 AS MATERIALIZED (
  SELECT
    class.*,
    cell.v1,
    cell.row_count
  FROM class_cell_1 AS cell
  JOIN class_2 AS class
    ON cell.class_id = class.class_id
),
shown_cell_2 AS (
  SELECT *
  FROM class_cell_2
  WHERE NOT is_masked
),
released_class AS MATERIALIZED (
  SELECT class.*,
    verdict.masks_sensitive
  FROM class
  JOIN (
    WITH
      histogram_1 AS (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          row_count AS value_count
        FROM shown_cell_2
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_2
        WHERE NOT is_masked
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM shown_cell_2
        GROUP BY v1
      ),
      total_1 AS MATERIALIZED (
        SELECT
          CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
          COUNT(*) AS reference_values,
          0 AS vanishing_values,
          0 AS reference_drift,
          COUNT(*) AS lasting_values
        FROM reference_1
      ),
      compared_1 AS MATERIALIZED (
        SELECT
          histogram.*,
          COALESCE(reference.reference_count, 0) AS reference_count,
          total.reference_rows,
          total.reference_values,
          total.vanishing_values,
          total.reference_drift,
          total.lasting_values
        FROM histogram_1 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_1 AS total
      )
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 AS fails,
      is_masked,
      was_empty,
      fails_1 AS drops,
      is_masked OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 AS masks_sensitive,
      LEAST(class_size, GREATEST(0, repair_1)) AS repair,
      figure_1,
      fails_1,
      figure_2,
      fails_2,
      figure_3,
      fails_3,
      figure_4,
      fails_4,
      figure_5,
      fails_5,
      figure_6,
      fails_6
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        class.is_masked,
        class.was_empty,
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(0.009999998000000000208166796301 AS DOUBLE) AND verdict_3.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4,
        verdict_5.figure AS figure_5,
        CASE WHEN verdict_5.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_5.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_5,
        CASE
          WHEN NOT COALESCE(verdict_5.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_5,
        verdict_6.figure AS figure_6,
        CASE WHEN verdict_6.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_6,
        CASE
          WHEN NOT COALESCE(verdict_6.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_6
      FROM class_2 AS class
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(contradicts OR posterior_part * 1 > 1 * posterior_whole * (1 + 1e-12)) AS fails,
          MAX(CASE WHEN contradicts THEN 1 ELSE posterior_part / posterior_whole END) AS figure,
          0 AS repair
        FROM (
          WITH block AS (
            SELECT class_id, value_id, SUM(person_count) AS block_count
            FROM people_1
            GROUP BY class_id, value_id
          ),
          weighed AS (
            SELECT
              people.class_id,
              people.person_id,
              people.person_count,
              COALESCE(histogram.value_count, 0) * (people.person_count / block.block_count) AS weight
            FROM people_1 AS people
            JOIN block
              ON people.class_id = block.class_id
              AND people.value_id = block.value_id
            LEFT JOIN histogram_1 AS histogram
              ON people.class_id = histogram.class_id
              AND people.value_id = histogram.value_id
          ),
          person AS (
            SELECT
              class_id,
              person_id,
              SUM(person_count) AS person_count,
              SUM(weight) AS weight,
              COUNT(*) AS value_count
            FROM weighed
            GROUP BY class_id, person_id
          )
          SELECT
            weighed.class_id,
            CAST(weighed.person_count AS HUGEINT) AS prior_part,
            CAST(person.person_count AS HUGEINT) AS prior_whole,
            weighed.weight AS posterior_part,
            person.weight AS posterior_whole,
            FALSE AS contradicts
          FROM weighed
          JOIN person
            ON weighed.class_id = person.class_id
            AND weighed.person_id = person.person_id
          WHERE person.weight > 0
          UNION ALL
          SELECT person.class_id, 0, 1, 0, 1, FALSE
          FROM person
          JOIN (SELECT class_id, COUNT(*) AS value_count FROM block GROUP BY class_id) AS possible
            ON person.class_id = possible.class_id
          WHERE person.weight > 0
            AND person.value_count < possible.value_count
          UNION ALL
          SELECT DISTINCT person.class_id, 0, 1, 0, 1, TRUE
          FROM person
          JOIN sized_1 AS sized
            ON person.class_id = sized.class_id
          WHERE NOT person.weight > 0
          UNION ALL
          SELECT histogram.class_id, 0, 1, 0, 1, TRUE
          FROM histogram_1 AS histogram
          LEFT JOIN block
            ON histogram.class_id = block.class_id
            AND histogram.value_id = block.value_id
          WHERE block.class_id IS NULL
        ) AS class_belief
        GROUP BY class_id
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(contradicts OR posterior_part * 100 < 1 * posterior_whole * (1 - 0)) AS fails,
          MIN(CASE WHEN contradicts THEN 0 ELSE posterior_part / posterior_whole END) AS figure,
          0 AS repair
        FROM (
          WITH ranked_value AS (
            SELECT
              value_id,
              reference_count,
              ROW_NUMBER() OVER (ORDER BY reference_count DESC, value_id ASC) AS place
            FROM reference_1
          ),
          first_absent AS (
            SELECT
              class_id,
              class_size,
              reference_rows,
              COALESCE(MAX(held) FILTER (WHERE held = place), 0) + 1 AS place
            FROM (
              SELECT
                histogram.class_id,
                histogram.class_size,
                histogram.reference_rows,
                ranked_value.place,
                ROW_NUMBER() OVER (PARTITION BY histogram.class_id ORDER BY ranked_value.place ASC) AS held
              FROM compared_1 AS histogram
              JOIN ranked_value
                ON histogram.value_id = ranked_value.value_id
            ) AS held_value
            GROUP BY class_id, class_size, reference_rows
          )
          SELECT
            class_id,
            CAST(reference_count AS HUGEINT) AS prior_part,
            CAST(reference_rows AS HUGEINT) AS prior_whole,
            CAST(value_count AS HUGEINT) AS posterior_part,
            CAST(class_size AS HUGEINT) AS posterior_whole,
            FALSE AS contradicts
          FROM compared_1
          UNION ALL
          SELECT
            first_absent.class_id,
            ranked_value.reference_count,
            first_absent.reference_rows,
            0,
            first_absent.class_size,
            FALSE
          FROM first_absent
          JOIN ranked_value
            ON first_absent.place = ranked_value.place
        ) AS class_belief
        GROUP BY class_id
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(
            contradicts
            OR (
              prior_part * 100 < 1 * prior_whole
              AND posterior_part * 100 > 99 * posterior_whole * (1 + 0)
            )
            OR (
              prior_part * 100 > 99 * prior_whole
              AND posterior_part * 100 < 1 * posterior_whole * (1 - 0)
            )
          ) AS fails,
          MAX(CASE WHEN contradicts THEN 1 ELSE ABS(posterior_part / posterior_whole - prior_part / prior_whole) END) AS figure,
          0 AS repair
        FROM (
          WITH ranked_value AS (
            SELECT
              value_id,
              reference_count,
              ROW_NUMBER() OVER (ORDER BY reference_count DESC, value_id ASC) AS place
            FROM reference_1
          ),
          first_absent AS (
            SELECT
              class_id,
              class_size,
              reference_rows,
              COALESCE(MAX(held) FILTER (WHERE held = place), 0) + 1 AS place
            FROM (
              SELECT
                histogram.class_id,
                histogram.class_size,
                histogram.reference_rows,
                ranked_value.place,
                ROW_NUMBER() OVER (PARTITION BY histogram.class_id ORDER BY ranked_value.place ASC) AS held
              FROM compared_1 AS histogram
              JOIN ranked_value
                ON histogram.value_id = ranked_value.value_id
            ) AS held_value
            GROUP BY class_id, class_size, reference_rows
          )
          SELECT
            class_id,
            CAST(reference_count AS HUGEINT) AS prior_part,
            CAST(reference_rows AS HUGEINT) AS prior_whole,
            CAST(value_count AS HUGEINT) AS posterior_part,
            CAST(class_size AS HUGEINT) AS posterior_whole,
            FALSE AS contradicts
          FROM compared_1
          UNION ALL
          SELECT
            first_absent.class_id,
            ranked_value.reference_count,
            first_absent.reference_rows,
            0,
            first_absent.class_size,
            FALSE
          FROM first_absent
          JOIN ranked_value
            ON first_absent.place = ranked_value.place
        ) AS class_belief
        GROUP BY class_id
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
      LEFT JOIN (
        WITH candidate AS (
          SELECT class_id, 1 AS superset, 1 AS member
          FROM class
          WHERE class_id IN (SELECT class_id FROM histogram_1)
          UNION ALL
          SELECT class_id, 2 AS superset, DENSE_RANK() OVER (ORDER BY key_1 ASC NULLS FIRST, TRUE ASC) AS member
          FROM class
          WHERE class_id IN (SELECT class_id FROM histogram_1)
        ),
        superset_value AS MATERIALIZED (
          SELECT
            candidate.superset,
            candidate.member,
            histogram.value_id,
            CAST(SUM(histogram.value_count) AS BIGINT) AS reference_count
          FROM histogram_1 AS histogram
          JOIN candidate
            ON histogram.class_id = candidate.class_id
          GROUP BY candidate.superset, candidate.member, histogram.value_id
        ),
        pair AS MATERIALIZED (
          SELECT
            ROW_NUMBER() OVER () AS pair_id,
            candidate.*,
            histogram.class_size,
            large.reference_rows,
            large.reference_values
          FROM candidate
          JOIN (SELECT DISTINCT class_id, class_size FROM histogram_1) AS histogram
            ON candidate.class_id = histogram.class_id
          JOIN (
            SELECT superset, member, CAST(SUM(reference_count) AS BIGINT) AS reference_rows, COUNT(*) AS reference_values
            FROM superset_value
            GROUP BY superset, member
            HAVING SUM(reference_count) >= 5
          ) AS large
            ON candidate.superset = large.superset
            AND candidate.member = large.member
        ),
        around AS MATERIALIZED (
          SELECT
            pair.pair_id AS class_id,
            pair.class_size,
            superset_value.value_id,
            COALESCE(histogram.value_count, 0) AS value_count,
            superset_value.reference_count,
            pair.reference_rows,
            pair.reference_values,
            0 AS reference_drift,
            0 AS vanishing_values
          FROM pair
          JOIN superset_value
            ON pair.superset = superset_value.superset
            AND pair.member = superset_value.member
          LEFT JOIN histogram_1 AS histogram
            ON pair.class_id = histogram.class_id
            AND superset_value.value_id = histogram.value_id
        ),
        around_held AS (
          SELECT *
          FROM around
          WHERE value_count > 0
        )
        SELECT
          class.class_id,
          COALESCE(BOOL_AND(verdict.fails), TRUE) AS fails,
          COALESCE(MIN(verdict.figure), CAST('infinity' AS DOUBLE)) AS figure,
          0 AS repair
        FROM (SELECT DISTINCT class_id FROM histogram_1) AS class
        LEFT JOIN pair
          ON class.class_id = pair.class_id
        LEFT JOIN (
          SELECT
            class_id,
            work * 1 > unit * 1 AS fails,
            work / unit AS figure,
            CAST(0 AS DOUBLE) AS repair
          FROM (
            SELECT
              class_id,
              class_size,
              work,
              unit,
              reference_drift / reference_rows + vanishing_values / GREATEST(reference_values - 1, 1) AS drift
            FROM (
              WITH position AS MATERIALIZED (
                SELECT
                  id_0 AS value_id,
                  ROW_NUMBER() OVER (ORDER BY position ASC) AS place
                FROM value_1
                WHERE id_0 IN (SELECT value_id FROM histogram_1)
              )
              SELECT
                class_id,
                class_size,
                reference_rows,
                reference_values,
                reference_drift,
                vanishing_values,
                COALESCE(SUM(places * ABS(CAST(reference_rows AS HUGEINT) * class_cumulative - CAST(class_size AS HUGEINT) * reference_cumulative)), 0) AS work,
                GREATEST(CAST((SELECT COUNT(*) - 1 FROM position) AS HUGEINT) * class_size * reference_rows, 1) AS unit
              FROM (
                SELECT
                  dense.*,
                  CAST(LEAD(position.place) OVER class_order - position.place AS HUGEINT) AS places,
                  CAST(SUM(dense.value_count) OVER class_order AS BIGINT) AS class_cumulative,
                  CAST(SUM(dense.reference_count) OVER class_order AS BIGINT) AS reference_cumulative
                FROM around AS dense
                JOIN position
                  ON dense.value_id = position.value_id
                WINDOW class_order AS (PARTITION BY dense.class_id ORDER BY position.place ASC)
              ) AS cumulative
              GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
            ) AS class_work
          ) AS class_distance
        ) AS verdict
          ON pair.pair_id = verdict.class_id
        GROUP BY class.class_id
      ) AS verdict_5
        ON class.class_id = verdict_5.class_id
      LEFT JOIN (
        WITH candidate AS (
          SELECT class_id, 1 AS superset, 1 AS member
          FROM class
          WHERE class_id IN (SELECT class_id FROM histogram_1)
        ),
        superset_value AS MATERIALIZED (
          SELECT
            candidate.superset,
            candidate.member,
            histogram.value_id,
            CAST(SUM(histogram.value_count) AS BIGINT) AS reference_count
          FROM histogram_1 AS histogram
          JOIN candidate
            ON histogram.class_id = candidate.class_id
          GROUP BY candidate.superset, candidate.member, histogram.value_id
        ),
        pair AS MATERIALIZED (
          SELECT
            ROW_NUMBER() OVER () AS pair_id,
            candidate.*,
            histogram.class_size,
            large.reference_rows,
            large.reference_values
          FROM candidate
          JOIN (SELECT DISTINCT class_id, class_size FROM histogram_1) AS histogram
            ON candidate.class_id = histogram.class_id
          JOIN (
            SELECT superset, member, CAST(SUM(reference_count) AS BIGINT) AS reference_rows, COUNT(*) AS reference_values
            FROM superset_value
            GROUP BY superset, member
            HAVING SUM(reference_count) >= 5
          ) AS large
            ON candidate.superset = large.superset
            AND candidate.member = large.member
        ),
        around AS MATERIALIZED (
          SELECT
            pair.pair_id AS class_id,
            pair.class_size,
            superset_value.value_id,
            COALESCE(histogram.value_count, 0) AS value_count,
            superset_value.reference_count,
            pair.reference_rows,
            pair.reference_values,
            0 AS reference_drift,
            0 AS vanishing_values
          FROM pair
          JOIN superset_value
            ON pair.superset = superset_value.superset
            AND pair.member = superset_value.member
          LEFT JOIN histogram_1 AS histogram
            ON pair.class_id = histogram.class_id
            AND superset_value.value_id = histogram.value_id
        ),
        around_held AS (
          SELECT *
          FROM around
          WHERE value_count > 0
        )
        SELECT
          class.class_id,
          COALESCE(BOOL_AND(verdict.fails), TRUE) AS fails,
          COALESCE(MIN(verdict.figure), CAST('infinity' AS DOUBLE)) AS figure,
          0 AS repair
        FROM (SELECT DISTINCT class_id FROM histogram_1) AS class
        LEFT JOIN pair
          ON class.class_id = pair.class_id
        LEFT JOIN (
          SELECT
            class_id,
            work * 1 > unit * 1 AS fails,
            work / unit AS figure,
            CAST(0 AS DOUBLE) AS repair
          FROM (
            SELECT
              class_id,
              class_size,
              work,
              unit,
              reference_drift / reference_rows AS drift
            FROM (
              SELECT
                class_id,
                class_size,
                reference_rows,
                reference_values,
                reference_drift,
                vanishing_values,
                SUM(ABS(CAST(reference_rows AS HUGEINT) * cut_count - CAST(class_size AS HUGEINT) * reference_count)) AS work,
                CAST(4 AS HUGEINT) * class_size * reference_rows AS unit
              FROM (
                SELECT
                  dense.class_id,
                  dense.class_size,
                  dense.reference_rows,
                  dense.reference_values,
                  dense.reference_drift,
                  dense.vanishing_values,
                  CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
                  CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
                FROM around AS dense
                JOIN value_1 AS value
                  ON dense.value_id = value.id_0
                GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_0
                UNION ALL
                SELECT
                  dense.class_id,
                  dense.class_size,
                  dense.reference_rows,
                  dense.reference_values,
                  dense.reference_drift,
                  dense.vanishing_values,
                  CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
                  CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
                FROM around AS dense
                JOIN value_1 AS value
                  ON dense.value_id = value.id_0
                GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_1
              ) AS cut
              GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
            ) AS class_work
          ) AS class_distance
        ) AS verdict
          ON pair.pair_id = verdict.class_id
        GROUP BY class.class_id
      ) AS verdict_6
        ON class.class_id = verdict_6.class_id
    ) AS judged
  ) AS verdict
    ON class.class_id = verdict.class_id
  WHERE NOT verdict.drops
),
sized_cell AS (
  SELECT
    cell.q1,
    cell.q2,
    cell.row_count,
    CASE WHEN NOT released_class.masks_sensitive THEN cell.kept_1 END AS kept_1,
    released_class.class_size
  FROM cell
  JOIN released_class
    ON cell.q1 = released_class.key_1 AND cell.q2 = released_class.key_2
),
released_cell AS (
  SELECT
    named_q1.label AS "zip",
    named_q2.label AS "age",
    sized_cell.kept_1 AS "disease",
    sized_cell.row_count AS "copies"
  FROM sized_cell
  JOIN (SELECT DISTINCT id, label FROM temp.main."sqlgen_lookup_1") AS named_q1
    ON sized_cell.q1 = named_q1.id
  JOIN (SELECT DISTINCT id, label FROM temp.main."sqlgen_lookup_2") AS named_q2
    ON sized_cell.q2 = named_q2.id
  WHERE NOT (FALSE)
  ORDER BY sized_cell.q1 ASC NULLS FIRST, sized_cell.q2 ASC NULLS FIRST, sized_cell.kept_1 ASC NULLS FIRST
)
SELECT
  "zip",
  "age",
  "disease"
FROM (
  SELECT *, UNNEST(RANGE("copies")) AS "copy"
  FROM released_cell
) AS released_row;

-- the release, measured from itself
CREATE TEMPORARY TABLE temp.main."sqlgen_audit" AS
SELECT
  measured.release_rows,
  measured.class_count,
  measured.masked_rows,
  measured.measured_1 AS measured_1,
  measured.failing_classes_1 AS failing_classes_1,
  measured.failing_rows_1 AS failing_rows_1,
  measured.figures_1 AS figures_1,
  measured.measured_2 AS measured_2,
  measured.failing_classes_2 AS failing_classes_2,
  measured.failing_rows_2 AS failing_rows_2,
  measured.figures_2 AS figures_2,
  measured.measured_3 AS measured_3,
  measured.failing_classes_3 AS failing_classes_3,
  measured.failing_rows_3 AS failing_rows_3,
  measured.figures_3 AS figures_3,
  measured.measured_4 AS measured_4,
  measured.failing_classes_4 AS failing_classes_4,
  measured.failing_rows_4 AS failing_rows_4,
  measured.figures_4 AS figures_4,
  measured.measured_5 AS measured_5,
  measured.failing_classes_5 AS failing_classes_5,
  measured.failing_rows_5 AS failing_rows_5,
  measured.figures_5 AS figures_5,
  measured.measured_6 AS measured_6,
  measured.failing_classes_6 AS failing_classes_6,
  measured.failing_rows_6 AS failing_rows_6,
  measured.figures_6 AS figures_6,
  (SELECT COUNT(*) FROM "clinic"."main"."patients") AS source_rows,
  (
    0
    + (SELECT COUNT(*) FROM temp.main."sqlgen_lookup_1" WHERE missing_level IS NOT NULL)
    + (SELECT COUNT(*) FROM temp.main."sqlgen_lookup_2" WHERE missing_level IS NOT NULL)
    + (SELECT COUNT(*) FROM (
      WITH labelled AS (
        SELECT
          *,
          CASE
            WHEN value IS NULL THEN NULL
            WHEN label_1 IS NULL THEN 1
            WHEN NOT is_listed THEN 2
          END AS missing_level
        FROM (
          SELECT
            COALESCE(value_count.value, leaf.value) AS value,
            COALESCE(value_count.row_count, 0) AS row_count,
            leaf.value IS NOT NULL AS is_listed,
            leaf.label_1
          FROM (
            SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
            FROM (
        SELECT CAST("disease" AS VARCHAR) AS "disease"
        FROM "clinic"."main"."patients"
        UNION ALL
        SELECT CAST("disease" AS VARCHAR) AS "disease"
        FROM (
          SELECT
            "zip",
            CAST("age" AS INTEGER) AS "age",
            "disease",
            "weight"
          FROM "clinic"."main"."town"
        )
      ) AS source
            GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
          ) AS value_count
          FULL JOIN (
            SELECT DISTINCT
              TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
              CAST(field_1 AS VARCHAR) COLLATE C AS label_1
            FROM (VALUES
              ('flu', 'ill', '*'),
              ('ulcer', 'ill', '*')
            ) AS line (field_0, field_1, field_2)
            WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
          ) AS leaf
            ON value_count.value = leaf.value
        ) AS labels
      ),
      leaf AS (
        SELECT
          value,
          row_count,
          missing_level,
          TRUE AS is_kept,
          value AS final_0,
          (CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_1
              END) COLLATE C AS final_1
        FROM labelled
      )
      SELECT
        value,
        row_count,
        missing_level,
        is_kept,
        CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
        CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1,
        ROW_NUMBER() OVER (ORDER BY CASE WHEN value IS NOT NULL THEN LIST_POSITION([TRY_CAST('flu' AS VARCHAR), TRY_CAST('ulcer' AS VARCHAR)], value) END ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
      FROM leaf
    ) AS value WHERE missing_level IS NOT NULL)
    + (SELECT COUNT(*) FROM (
      WITH labelled AS (
        SELECT
          *,
          CASE
            WHEN value IS NULL THEN NULL
            WHEN label_1 IS NULL THEN 1
            WHEN NOT is_listed THEN 2
          END AS missing_level
        FROM (
          SELECT
            COALESCE(value_count.value, leaf.value) AS value,
            COALESCE(value_count.row_count, 0) AS row_count,
            leaf.value IS NOT NULL AS is_listed,
            leaf.label_1
          FROM (
            SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
            FROM (
        SELECT CAST("disease" AS VARCHAR) AS "disease"
        FROM "clinic"."main"."patients"
        UNION ALL
        SELECT CAST("disease" AS VARCHAR) AS "disease"
        FROM (
          SELECT
            "zip",
            CAST("age" AS INTEGER) AS "age",
            "disease",
            "weight"
          FROM "clinic"."main"."town"
        )
      ) AS source
            GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
          ) AS value_count
          FULL JOIN (
            SELECT DISTINCT
              TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
              CAST(field_1 AS VARCHAR) COLLATE C AS label_1
            FROM (VALUES
              ('flu', 'ill', '*'),
              ('ulcer', 'ill', '*')
            ) AS line (field_0, field_1, field_2)
            WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
          ) AS leaf
            ON value_count.value = leaf.value
        ) AS labels
      ),
      leaf AS (
        SELECT
          value,
          row_count,
          missing_level,
          TRUE AS is_kept,
          value AS final_0,
          (CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_1
              END) COLLATE C AS final_1
        FROM labelled
      )
      SELECT
        value,
        row_count,
        missing_level,
        is_kept,
        CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
        CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1,
        ROW_NUMBER() OVER (ORDER BY CASE WHEN value IS NOT NULL THEN LIST_POSITION([TRY_CAST('flu' AS VARCHAR), TRY_CAST('ulcer' AS VARCHAR)], value) END ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
      FROM leaf
    ) AS value WHERE value IS NOT NULL AND (CASE WHEN value IS NOT NULL THEN LIST_POSITION([TRY_CAST('flu' AS VARCHAR), TRY_CAST('ulcer' AS VARCHAR)], value) END) IS NULL)
  ) AS uncovered_values,
  (
    0
    + (SELECT COUNT(value) - COUNT(DISTINCT value) FROM temp.main."sqlgen_lookup_1")
    + (SELECT COUNT(value) - COUNT(DISTINCT value) FROM temp.main."sqlgen_lookup_2")
    + (SELECT COUNT(value) - COUNT(DISTINCT value) FROM (
      WITH labelled AS (
        SELECT
          *,
          CASE
            WHEN value IS NULL THEN NULL
            WHEN label_1 IS NULL THEN 1
            WHEN NOT is_listed THEN 2
          END AS missing_level
        FROM (
          SELECT
            COALESCE(value_count.value, leaf.value) AS value,
            COALESCE(value_count.row_count, 0) AS row_count,
            leaf.value IS NOT NULL AS is_listed,
            leaf.label_1
          FROM (
            SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
            FROM (
        SELECT CAST("disease" AS VARCHAR) AS "disease"
        FROM "clinic"."main"."patients"
        UNION ALL
        SELECT CAST("disease" AS VARCHAR) AS "disease"
        FROM (
          SELECT
            "zip",
            CAST("age" AS INTEGER) AS "age",
            "disease",
            "weight"
          FROM "clinic"."main"."town"
        )
      ) AS source
            GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
          ) AS value_count
          FULL JOIN (
            SELECT DISTINCT
              TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
              CAST(field_1 AS VARCHAR) COLLATE C AS label_1
            FROM (VALUES
              ('flu', 'ill', '*'),
              ('ulcer', 'ill', '*')
            ) AS line (field_0, field_1, field_2)
            WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
          ) AS leaf
            ON value_count.value = leaf.value
        ) AS labels
      ),
      leaf AS (
        SELECT
          value,
          row_count,
          missing_level,
          TRUE AS is_kept,
          value AS final_0,
          (CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_1
              END) COLLATE C AS final_1
        FROM labelled
      )
      SELECT
        value,
        row_count,
        missing_level,
        is_kept,
        CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
        CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1,
        ROW_NUMBER() OVER (ORDER BY CASE WHEN value IS NOT NULL THEN LIST_POSITION([TRY_CAST('flu' AS VARCHAR), TRY_CAST('ulcer' AS VARCHAR)], value) END ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
      FROM leaf
    ) AS value)
  ) AS repeated_values,
  0 AS uncounted_rows,
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
          FROM "clinic"."main"."patients" AS source
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
            FROM "clinic"."main"."released"
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
  )) AS empty_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released') AS release_object
FROM (
  WITH
  cell AS MATERIALIZED (
    SELECT
      CAST("audited"."zip" AS VARCHAR) COLLATE C AS q1,
      CAST("audited"."age" AS VARCHAR) COLLATE C AS q2,
      CAST("audited"."disease" AS VARCHAR) COLLATE C AS s1,
      COUNT(*) AS row_count
    FROM "clinic"."main"."released" AS audited
    GROUP BY CAST("audited"."zip" AS VARCHAR) COLLATE C, CAST("audited"."age" AS VARCHAR) COLLATE C, CAST("audited"."disease" AS VARCHAR) COLLATE C
  ),
  value_1 AS MATERIALIZED (
    WITH labelled AS (
      SELECT
        *,
        CASE
          WHEN value IS NULL THEN NULL
          WHEN label_1 IS NULL THEN 1
          WHEN NOT is_listed THEN 2
        END AS missing_level
      FROM (
        SELECT
          COALESCE(value_count.value, leaf.value) AS value,
          COALESCE(value_count.row_count, 0) AS row_count,
          leaf.value IS NOT NULL AS is_listed,
          leaf.label_1
        FROM (
          SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
          FROM (
      SELECT CAST("disease" AS VARCHAR) AS "disease"
      FROM (SELECT s1 AS "disease" FROM cell)
      UNION ALL
      SELECT CAST("disease" AS VARCHAR) AS "disease"
      FROM (
        SELECT
          "zip",
          CAST("age" AS INTEGER) AS "age",
          "disease",
          "weight"
        FROM "clinic"."main"."town"
      )
    ) AS source
          GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
        ) AS value_count
        FULL JOIN (
          SELECT DISTINCT
            TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
            CAST(field_1 AS VARCHAR) COLLATE C AS label_1
          FROM (VALUES
            ('flu', 'ill', '*'),
            ('ulcer', 'ill', '*')
          ) AS line (field_0, field_1, field_2)
          WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
        ) AS leaf
          ON value_count.value = leaf.value
      ) AS labels
    ),
    leaf AS (
      SELECT
        value,
        row_count,
        missing_level,
        TRUE AS is_kept,
        value AS final_0,
        (CASE
              WHEN value IS NULL THEN NULL
              WHEN missing_level IS NOT NULL THEN NULL
              ELSE label_1
            END) COLLATE C AS final_1
      FROM labelled
    )
    SELECT
      value,
      row_count,
      missing_level,
      is_kept,
      CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
      CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1,
      ROW_NUMBER() OVER (ORDER BY CASE WHEN value IS NOT NULL THEN LIST_POSITION([TRY_CAST('flu' AS VARCHAR), TRY_CAST('ulcer' AS VARCHAR)], value) END ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
    FROM leaf
  ),
  valued_cell AS (
    SELECT
      cell.*,
      value_1.id_0 AS v1
    FROM cell AS cell
    JOIN value_1
      ON cell.s1 IS NOT DISTINCT FROM value_1.value
  ),
  counted AS MATERIALIZED (
    SELECT
      q1 AS key_1,
      q2 AS key_2,
      v1,
      CAST(SUM(row_count) AS BIGINT) AS row_count
    FROM valued_cell AS cell
    GROUP BY q1, q2, v1
  ),
  class AS MATERIALIZED (
    SELECT
      key_1,
      key_2,
      BOOL_AND(COALESCE(v1 = (SELECT MIN(id_0) FROM value_1 WHERE value IS NULL), FALSE)) AS is_masked,
      ROW_NUMBER() OVER () AS class_id,
      CAST(SUM(row_count) AS BIGINT) AS class_size
    FROM counted
    GROUP BY key_1, key_2
  ),
  class_0 AS (
    SELECT class_id, class_size, is_masked, is_masked AS was_empty
    FROM class
    WHERE NOT (FALSE)
  ),
  class_cell_0 AS MATERIALIZED (
    SELECT
      class.class_id,
      class.class_size,
      class.is_masked,
      counted.v1,
      counted.row_count
    FROM counted
    JOIN class
      ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2
    WHERE NOT (FALSE)
  ),
  shown_cell_0 AS (
    SELECT *
    FROM class_cell_0
    WHERE NOT is_masked
  ),
  person_1 AS MATERIALIZED (
    SELECT
      DENSE_RANK() OVER (ORDER BY q1 ASC NULLS FIRST, q2 ASC NULLS FIRST) AS person_id,
      *
    FROM (
      SELECT
        CAST("referred"."zip" AS VARCHAR) COLLATE C AS q1,
        "referred"."age" AS q2,
        value.id_0 AS value_id,
        CAST(SUM(CAST(referred."weight" * 10 AS HUGEINT)) AS BIGINT) AS person_count
      FROM (
      SELECT
        "zip",
        CAST("age" AS INTEGER) AS "age",
        "disease",
        "weight"
      FROM "clinic"."main"."town"
    ) AS referred
      JOIN value_1 AS value
        ON CAST(CAST("referred"."disease" AS VARCHAR) COLLATE C AS VARCHAR) IS NOT DISTINCT FROM value.value
      GROUP BY CAST("referred"."zip" AS VARCHAR) COLLATE C, "referred"."age", value.id_0
      HAVING SUM(CAST(referred."weight" * 10 AS HUGEINT)) > 0
    ) AS person
  ),
  people_1 AS MATERIALIZED (
    SELECT
      class.class_id,
      matched.person_id,
      matched.value_id,
      matched.person_count
    FROM (
      WITH named_person AS MATERIALIZED (
        SELECT
          name_1.id AS key_1,
          name_2.id AS key_2,
          person.person_id,
          person.value_id,
          person.person_count
        FROM person_1 AS person
        JOIN (
          SELECT DISTINCT named.value, shown.id
          FROM (
            WITH labelled AS (
              SELECT
                *,
                CASE
                  WHEN value IS NULL THEN NULL
                  WHEN label_1 IS NULL THEN 1
                END AS missing_level
              FROM (
                SELECT
                  value,
                  row_count,
                  CASE
                          WHEN LENGTH(CAST(value AS VARCHAR)) > 3
                            THEN SUBSTRING(CAST(value AS VARCHAR), 1, 3)
                              || REPEAT('*', LENGTH(CAST(value AS VARCHAR)) - 3)
                          ELSE CAST(value AS VARCHAR)
                        END AS label_1
                FROM (
                  SELECT CAST("source"."zip" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
                  FROM (
              SELECT
                "zip",
                CAST("age" AS INTEGER) AS "age",
                "disease",
                "weight"
              FROM "clinic"."main"."town"
            ) AS source
                  GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
                ) AS value_count
              ) AS labels
            ),
            kept AS (
              SELECT *, TRUE AS is_kept
              FROM labelled
            )
            SELECT value, 0 AS level, CAST(value AS VARCHAR) COLLATE C AS label
            FROM kept
            WHERE is_kept AND row_count > 0
          ) AS named
          JOIN (SELECT DISTINCT CAST(key_1 AS VARCHAR) COLLATE C AS called, CAST(key_1 AS VARCHAR) COLLATE C AS id FROM class) AS shown
            ON named.label IS NOT DISTINCT FROM shown.called
        ) AS name_1
          ON person.q1 IS NOT DISTINCT FROM name_1.value
        JOIN (
          SELECT DISTINCT named.value, shown.id
          FROM (
            WITH labelled AS (
              SELECT
                *,
                CASE
                  WHEN value IS NULL THEN NULL
                  WHEN label_1 IS NULL THEN 1
                END AS missing_level
              FROM (
                SELECT
                  value,
                  row_count,
                  '[' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 5 + 5) % 5 AS DECIMAL(38, 0)) AS VARCHAR)
                          || ', ' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 5 + 5) % 5 + 5 AS DECIMAL(38, 0)) AS VARCHAR)
                          || ')' AS label_1
                FROM (
                  SELECT "source"."age" AS value, COUNT(*) AS row_count
                  FROM (
              SELECT
                "zip",
                CAST("age" AS INTEGER) AS "age",
                "disease",
                "weight"
              FROM "clinic"."main"."town"
            ) AS source
                  GROUP BY "source"."age"
                ) AS value_count
              ) AS labels
            ),
            kept AS (
              SELECT *, TRUE AS is_kept
              FROM labelled
            )
            SELECT value, 1 AS level, CAST((CASE
                  WHEN value IS NULL THEN NULL
                  WHEN missing_level IS NOT NULL THEN NULL
                  ELSE label_1
                END) COLLATE C AS VARCHAR) COLLATE C AS label
            FROM kept
            WHERE is_kept AND row_count > 0 AND missing_level IS NULL
          ) AS named
          JOIN (SELECT DISTINCT CAST(key_2 AS VARCHAR) COLLATE C AS called, CAST(key_2 AS VARCHAR) COLLATE C AS id FROM class) AS shown
            ON named.label IS NOT DISTINCT FROM shown.called
        ) AS name_2
          ON person.q2 IS NOT DISTINCT FROM name_2.value
      )
      SELECT *
      FROM named_person
    ) AS matched
    JOIN class
      ON CAST(class.key_1 AS VARCHAR) COLLATE C IS NOT DISTINCT FROM matched.key_1 AND CAST(class.key_2 AS VARCHAR) COLLATE C IS NOT DISTINCT FROM matched.key_2
  )
  SELECT
    CAST(COALESCE(SUM(class_size), 0) AS BIGINT) AS release_rows,
    COUNT(*) AS class_count,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE is_masked), 0) AS BIGINT) AS masked_rows,
    COALESCE(MIN(figure_1), 0) AS measured_1,
    COUNT(*) FILTER (WHERE fails_1) AS failing_classes_1,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_1), 0) AS BIGINT) AS failing_rows_1,
    QUANTILE_DISC(figure_1, [0, 0.25, 0.5, 0.75, 1]) AS figures_1,
    COALESCE(MAX(figure_2), 0) AS measured_2,
    COUNT(*) FILTER (WHERE fails_2) AS failing_classes_2,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_2), 0) AS BIGINT) AS failing_rows_2,
    QUANTILE_DISC(figure_2, [0, 0.25, 0.5, 0.75, 1]) AS figures_2,
    COALESCE(MIN(figure_3), 0) AS measured_3,
    COUNT(*) FILTER (WHERE fails_3) AS failing_classes_3,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_3), 0) AS BIGINT) AS failing_rows_3,
    QUANTILE_DISC(figure_3, [0, 0.25, 0.5, 0.75, 1]) AS figures_3,
    COALESCE(MAX(figure_4), 0) AS measured_4,
    COUNT(*) FILTER (WHERE fails_4) AS failing_classes_4,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_4), 0) AS BIGINT) AS failing_rows_4,
    QUANTILE_DISC(figure_4, [0, 0.25, 0.5, 0.75, 1]) AS figures_4,
    COALESCE(MAX(figure_5), 0) AS measured_5,
    COUNT(*) FILTER (WHERE fails_5) AS failing_classes_5,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_5), 0) AS BIGINT) AS failing_rows_5,
    QUANTILE_DISC(figure_5, [0, 0.25, 0.5, 0.75, 1]) AS figures_5,
    COALESCE(MAX(figure_6), 0) AS measured_6,
    COUNT(*) FILTER (WHERE fails_6) AS failing_classes_6,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_6), 0) AS BIGINT) AS failing_rows_6,
    QUANTILE_DISC(figure_6, [0, 0.25, 0.5, 0.75, 1]) AS figures_6
  FROM (
    WITH
      histogram_1 AS (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          row_count AS value_count
        FROM shown_cell_0
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_0
        WHERE NOT is_masked
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM shown_cell_0
        GROUP BY v1
      ),
      total_1 AS MATERIALIZED (
        SELECT
          CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
          COUNT(*) AS reference_values,
          0 AS vanishing_values,
          0 AS reference_drift,
          COUNT(*) AS lasting_values
        FROM reference_1
      ),
      compared_1 AS MATERIALIZED (
        SELECT
          histogram.*,
          COALESCE(reference.reference_count, 0) AS reference_count,
          total.reference_rows,
          total.reference_values,
          total.vanishing_values,
          total.reference_drift,
          total.lasting_values
        FROM histogram_1 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_1 AS total
      )
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 AS fails,
      is_masked,
      was_empty,
      fails_1 AS drops,
      is_masked OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 AS masks_sensitive,
      LEAST(class_size, GREATEST(0, repair_1)) AS repair,
      figure_1,
      fails_1,
      figure_2,
      fails_2,
      figure_3,
      fails_3,
      figure_4,
      fails_4,
      figure_5,
      fails_5,
      figure_6,
      fails_6
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        class.is_masked,
        class.was_empty,
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(0.009999998000000000208166796301 AS DOUBLE) AND verdict_3.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4,
        verdict_5.figure AS figure_5,
        CASE WHEN verdict_5.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_5.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_5,
        CASE
          WHEN NOT COALESCE(verdict_5.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_5,
        verdict_6.figure AS figure_6,
        CASE WHEN verdict_6.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_6,
        CASE
          WHEN NOT COALESCE(verdict_6.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_6
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(contradicts OR posterior_part * 1 > 1 * posterior_whole * (1 + 1e-12)) AS fails,
          MAX(CASE WHEN contradicts THEN 1 ELSE posterior_part / posterior_whole END) AS figure,
          0 AS repair
        FROM (
          WITH block AS (
            SELECT class_id, value_id, SUM(person_count) AS block_count
            FROM people_1
            GROUP BY class_id, value_id
          ),
          weighed AS (
            SELECT
              people.class_id,
              people.person_id,
              people.person_count,
              COALESCE(histogram.value_count, 0) * (people.person_count / block.block_count) AS weight
            FROM people_1 AS people
            JOIN block
              ON people.class_id = block.class_id
              AND people.value_id = block.value_id
            LEFT JOIN histogram_1 AS histogram
              ON people.class_id = histogram.class_id
              AND people.value_id = histogram.value_id
          ),
          person AS (
            SELECT
              class_id,
              person_id,
              SUM(person_count) AS person_count,
              SUM(weight) AS weight,
              COUNT(*) AS value_count
            FROM weighed
            GROUP BY class_id, person_id
          )
          SELECT
            weighed.class_id,
            CAST(weighed.person_count AS HUGEINT) AS prior_part,
            CAST(person.person_count AS HUGEINT) AS prior_whole,
            weighed.weight AS posterior_part,
            person.weight AS posterior_whole,
            FALSE AS contradicts
          FROM weighed
          JOIN person
            ON weighed.class_id = person.class_id
            AND weighed.person_id = person.person_id
          WHERE person.weight > 0
          UNION ALL
          SELECT person.class_id, 0, 1, 0, 1, FALSE
          FROM person
          JOIN (SELECT class_id, COUNT(*) AS value_count FROM block GROUP BY class_id) AS possible
            ON person.class_id = possible.class_id
          WHERE person.weight > 0
            AND person.value_count < possible.value_count
          UNION ALL
          SELECT DISTINCT person.class_id, 0, 1, 0, 1, TRUE
          FROM person
          JOIN sized_1 AS sized
            ON person.class_id = sized.class_id
          WHERE NOT person.weight > 0
          UNION ALL
          SELECT histogram.class_id, 0, 1, 0, 1, TRUE
          FROM histogram_1 AS histogram
          LEFT JOIN block
            ON histogram.class_id = block.class_id
            AND histogram.value_id = block.value_id
          WHERE block.class_id IS NULL
        ) AS class_belief
        GROUP BY class_id
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(contradicts OR posterior_part * 100 < 1 * posterior_whole * (1 - 0)) AS fails,
          MIN(CASE WHEN contradicts THEN 0 ELSE posterior_part / posterior_whole END) AS figure,
          0 AS repair
        FROM (
          WITH ranked_value AS (
            SELECT
              value_id,
              reference_count,
              ROW_NUMBER() OVER (ORDER BY reference_count DESC, value_id ASC) AS place
            FROM reference_1
          ),
          first_absent AS (
            SELECT
              class_id,
              class_size,
              reference_rows,
              COALESCE(MAX(held) FILTER (WHERE held = place), 0) + 1 AS place
            FROM (
              SELECT
                histogram.class_id,
                histogram.class_size,
                histogram.reference_rows,
                ranked_value.place,
                ROW_NUMBER() OVER (PARTITION BY histogram.class_id ORDER BY ranked_value.place ASC) AS held
              FROM compared_1 AS histogram
              JOIN ranked_value
                ON histogram.value_id = ranked_value.value_id
            ) AS held_value
            GROUP BY class_id, class_size, reference_rows
          )
          SELECT
            class_id,
            CAST(reference_count AS HUGEINT) AS prior_part,
            CAST(reference_rows AS HUGEINT) AS prior_whole,
            CAST(value_count AS HUGEINT) AS posterior_part,
            CAST(class_size AS HUGEINT) AS posterior_whole,
            FALSE AS contradicts
          FROM compared_1
          UNION ALL
          SELECT
            first_absent.class_id,
            ranked_value.reference_count,
            first_absent.reference_rows,
            0,
            first_absent.class_size,
            FALSE
          FROM first_absent
          JOIN ranked_value
            ON first_absent.place = ranked_value.place
        ) AS class_belief
        GROUP BY class_id
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(
            contradicts
            OR (
              prior_part * 100 < 1 * prior_whole
              AND posterior_part * 100 > 99 * posterior_whole * (1 + 0)
            )
            OR (
              prior_part * 100 > 99 * prior_whole
              AND posterior_part * 100 < 1 * posterior_whole * (1 - 0)
            )
          ) AS fails,
          MAX(CASE WHEN contradicts THEN 1 ELSE ABS(posterior_part / posterior_whole - prior_part / prior_whole) END) AS figure,
          0 AS repair
        FROM (
          WITH ranked_value AS (
            SELECT
              value_id,
              reference_count,
              ROW_NUMBER() OVER (ORDER BY reference_count DESC, value_id ASC) AS place
            FROM reference_1
          ),
          first_absent AS (
            SELECT
              class_id,
              class_size,
              reference_rows,
              COALESCE(MAX(held) FILTER (WHERE held = place), 0) + 1 AS place
            FROM (
              SELECT
                histogram.class_id,
                histogram.class_size,
                histogram.reference_rows,
                ranked_value.place,
                ROW_NUMBER() OVER (PARTITION BY histogram.class_id ORDER BY ranked_value.place ASC) AS held
              FROM compared_1 AS histogram
              JOIN ranked_value
                ON histogram.value_id = ranked_value.value_id
            ) AS held_value
            GROUP BY class_id, class_size, reference_rows
          )
          SELECT
            class_id,
            CAST(reference_count AS HUGEINT) AS prior_part,
            CAST(reference_rows AS HUGEINT) AS prior_whole,
            CAST(value_count AS HUGEINT) AS posterior_part,
            CAST(class_size AS HUGEINT) AS posterior_whole,
            FALSE AS contradicts
          FROM compared_1
          UNION ALL
          SELECT
            first_absent.class_id,
            ranked_value.reference_count,
            first_absent.reference_rows,
            0,
            first_absent.class_size,
            FALSE
          FROM first_absent
          JOIN ranked_value
            ON first_absent.place = ranked_value.place
        ) AS class_belief
        GROUP BY class_id
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
      LEFT JOIN (
        WITH candidate AS (
          SELECT class_id, 1 AS superset, 1 AS member
          FROM class
          WHERE class_id IN (SELECT class_id FROM histogram_1)
          UNION ALL
          SELECT class_id, 2 AS superset, DENSE_RANK() OVER (ORDER BY key_1 ASC NULLS FIRST, TRUE ASC) AS member
          FROM class
          WHERE class_id IN (SELECT class_id FROM histogram_1)
        ),
        superset_value AS MATERIALIZED (
          SELECT
            candidate.superset,
            candidate.member,
            histogram.value_id,
            CAST(SUM(histogram.value_count) AS BIGINT) AS reference_count
          FROM histogram_1 AS histogram
          JOIN candidate
            ON histogram.class_id = candidate.class_id
          GROUP BY candidate.superset, candidate.member, histogram.value_id
        ),
        pair AS MATERIALIZED (
          SELECT
            ROW_NUMBER() OVER () AS pair_id,
            candidate.*,
            histogram.class_size,
            large.reference_rows,
            large.reference_values
          FROM candidate
          JOIN (SELECT DISTINCT class_id, class_size FROM histogram_1) AS histogram
            ON candidate.class_id = histogram.class_id
          JOIN (
            SELECT superset, member, CAST(SUM(reference_count) AS BIGINT) AS reference_rows, COUNT(*) AS reference_values
            FROM superset_value
            GROUP BY superset, member
            HAVING SUM(reference_count) >= 5
          ) AS large
            ON candidate.superset = large.superset
            AND candidate.member = large.member
        ),
        around AS MATERIALIZED (
          SELECT
            pair.pair_id AS class_id,
            pair.class_size,
            superset_value.value_id,
            COALESCE(histogram.value_count, 0) AS value_count,
            superset_value.reference_count,
            pair.reference_rows,
            pair.reference_values,
            0 AS reference_drift,
            0 AS vanishing_values
          FROM pair
          JOIN superset_value
            ON pair.superset = superset_value.superset
            AND pair.member = superset_value.member
          LEFT JOIN histogram_1 AS histogram
            ON pair.class_id = histogram.class_id
            AND superset_value.value_id = histogram.value_id
        ),
        around_held AS (
          SELECT *
          FROM around
          WHERE value_count > 0
        )
        SELECT
          class.class_id,
          COALESCE(BOOL_AND(verdict.fails), TRUE) AS fails,
          COALESCE(MIN(verdict.figure), CAST('infinity' AS DOUBLE)) AS figure,
          0 AS repair
        FROM (SELECT DISTINCT class_id FROM histogram_1) AS class
        LEFT JOIN pair
          ON class.class_id = pair.class_id
        LEFT JOIN (
          SELECT
            class_id,
            work * 1 > unit * 1 AS fails,
            work / unit AS figure,
            CAST(0 AS DOUBLE) AS repair
          FROM (
            SELECT
              class_id,
              class_size,
              work,
              unit,
              reference_drift / reference_rows + vanishing_values / GREATEST(reference_values - 1, 1) AS drift
            FROM (
              WITH position AS MATERIALIZED (
                SELECT
                  id_0 AS value_id,
                  ROW_NUMBER() OVER (ORDER BY position ASC) AS place
                FROM value_1
                WHERE id_0 IN (SELECT value_id FROM histogram_1)
              )
              SELECT
                class_id,
                class_size,
                reference_rows,
                reference_values,
                reference_drift,
                vanishing_values,
                COALESCE(SUM(places * ABS(CAST(reference_rows AS HUGEINT) * class_cumulative - CAST(class_size AS HUGEINT) * reference_cumulative)), 0) AS work,
                GREATEST(CAST((SELECT COUNT(*) - 1 FROM position) AS HUGEINT) * class_size * reference_rows, 1) AS unit
              FROM (
                SELECT
                  dense.*,
                  CAST(LEAD(position.place) OVER class_order - position.place AS HUGEINT) AS places,
                  CAST(SUM(dense.value_count) OVER class_order AS BIGINT) AS class_cumulative,
                  CAST(SUM(dense.reference_count) OVER class_order AS BIGINT) AS reference_cumulative
                FROM around AS dense
                JOIN position
                  ON dense.value_id = position.value_id
                WINDOW class_order AS (PARTITION BY dense.class_id ORDER BY position.place ASC)
              ) AS cumulative
              GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
            ) AS class_work
          ) AS class_distance
        ) AS verdict
          ON pair.pair_id = verdict.class_id
        GROUP BY class.class_id
      ) AS verdict_5
        ON class.class_id = verdict_5.class_id
      LEFT JOIN (
        WITH candidate AS (
          SELECT class_id, 1 AS superset, 1 AS member
          FROM class
          WHERE class_id IN (SELECT class_id FROM histogram_1)
        ),
        superset_value AS MATERIALIZED (
          SELECT
            candidate.superset,
            candidate.member,
            histogram.value_id,
            CAST(SUM(histogram.value_count) AS BIGINT) AS reference_count
          FROM histogram_1 AS histogram
          JOIN candidate
            ON histogram.class_id = candidate.class_id
          GROUP BY candidate.superset, candidate.member, histogram.value_id
        ),
        pair AS MATERIALIZED (
          SELECT
            ROW_NUMBER() OVER () AS pair_id,
            candidate.*,
            histogram.class_size,
            large.reference_rows,
            large.reference_values
          FROM candidate
          JOIN (SELECT DISTINCT class_id, class_size FROM histogram_1) AS histogram
            ON candidate.class_id = histogram.class_id
          JOIN (
            SELECT superset, member, CAST(SUM(reference_count) AS BIGINT) AS reference_rows, COUNT(*) AS reference_values
            FROM superset_value
            GROUP BY superset, member
            HAVING SUM(reference_count) >= 5
          ) AS large
            ON candidate.superset = large.superset
            AND candidate.member = large.member
        ),
        around AS MATERIALIZED (
          SELECT
            pair.pair_id AS class_id,
            pair.class_size,
            superset_value.value_id,
            COALESCE(histogram.value_count, 0) AS value_count,
            superset_value.reference_count,
            pair.reference_rows,
            pair.reference_values,
            0 AS reference_drift,
            0 AS vanishing_values
          FROM pair
          JOIN superset_value
            ON pair.superset = superset_value.superset
            AND pair.member = superset_value.member
          LEFT JOIN histogram_1 AS histogram
            ON pair.class_id = histogram.class_id
            AND superset_value.value_id = histogram.value_id
        ),
        around_held AS (
          SELECT *
          FROM around
          WHERE value_count > 0
        )
        SELECT
          class.class_id,
          COALESCE(BOOL_AND(verdict.fails), TRUE) AS fails,
          COALESCE(MIN(verdict.figure), CAST('infinity' AS DOUBLE)) AS figure,
          0 AS repair
        FROM (SELECT DISTINCT class_id FROM histogram_1) AS class
        LEFT JOIN pair
          ON class.class_id = pair.class_id
        LEFT JOIN (
          SELECT
            class_id,
            work * 1 > unit * 1 AS fails,
            work / unit AS figure,
            CAST(0 AS DOUBLE) AS repair
          FROM (
            SELECT
              class_id,
              class_size,
              work,
              unit,
              reference_drift / reference_rows AS drift
            FROM (
              SELECT
                class_id,
                class_size,
                reference_rows,
                reference_values,
                reference_drift,
                vanishing_values,
                SUM(ABS(CAST(reference_rows AS HUGEINT) * cut_count - CAST(class_size AS HUGEINT) * reference_count)) AS work,
                CAST(4 AS HUGEINT) * class_size * reference_rows AS unit
              FROM (
                SELECT
                  dense.class_id,
                  dense.class_size,
                  dense.reference_rows,
                  dense.reference_values,
                  dense.reference_drift,
                  dense.vanishing_values,
                  CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
                  CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
                FROM around AS dense
                JOIN value_1 AS value
                  ON dense.value_id = value.id_0
                GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_0
                UNION ALL
                SELECT
                  dense.class_id,
                  dense.class_size,
                  dense.reference_rows,
                  dense.reference_values,
                  dense.reference_drift,
                  dense.vanishing_values,
                  CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
                  CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
                FROM around AS dense
                JOIN value_1 AS value
                  ON dense.value_id = value.id_0
                GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_1
              ) AS cut
              GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
            ) AS class_work
          ) AS class_distance
        ) AS verdict
          ON pair.pair_id = verdict.class_id
        GROUP BY class.class_id
      ) AS verdict_6
        ON class.class_id = verdict_6.class_id
    ) AS judged
  ) AS class
) AS measured;

SELECT * FROM temp.main."sqlgen_audit";

-- stop here, and undo, if a statement above failed
SELECT CASE WHEN COUNT(*) = 0 THEN system.main.error('the release was not measured; nothing was changed') END AS guard
FROM duckdb_tables()
WHERE database_name = 'temp' AND table_name = 'sqlgen_audit';

-- stop here, and undo, if the release breaks the policy
SELECT
  CASE
    WHEN NOT COALESCE(uncovered_values = 0 AND repeated_values = 0, FALSE)
      THEN system.main.error('values outside a hierarchy, twice in it, or without a place in an order; nothing was changed')
    WHEN NOT COALESCE(release_rows <= source_rows, FALSE)
      THEN system.main.error('the release holds rows that the source does not; nothing was changed')
    WHEN NOT COALESCE(uncounted_rows = 0, FALSE)
      THEN system.main.error('the persons behind the release could not be counted; nothing was changed')
    WHEN NOT COALESCE(empty_rows >= 0 AND empty_rows <= masked_rows AND (source_rows - release_rows + masked_rows - empty_rows) * 10 <= 3 * source_rows, FALSE)
      THEN system.main.error('more rows are suppressed than the policy allows; nothing was changed')
    WHEN NOT COALESCE(class_count > 0 AND failing_classes_1 = 0 AND failing_rows_1 = 0 AND failing_classes_2 = 0 AND failing_rows_2 = 0 AND failing_classes_3 = 0 AND failing_rows_3 = 0 AND failing_classes_4 = 0 AND failing_rows_4 = 0 AND failing_classes_5 = 0 AND failing_rows_5 = 0 AND failing_classes_6 = 0 AND failing_rows_6 = 0, FALSE)
      THEN system.main.error('the release does not give what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_1 BETWEEN CAST(2.999999699 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_2 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(1.000000101 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_3 BETWEEN CAST(0.009999998000000000208166796301 AS DOUBLE) AND CAST(1.000000101 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_4 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(1.000000101 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_5 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(1.000000101 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_6 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(1.000000101 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
  END AS gate
FROM temp.main."sqlgen_audit";

-- rows that are unique by a column beside the quasi-identifiers
SELECT
  'disease' AS column_name,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE shown IS NOT NULL), 0) AS BIGINT) AS valued_rows,
  COUNT(shown) AS distinct_values,
  COUNT(shown) FILTER (WHERE row_count = 1) AS unique_rows
FROM (
  SELECT CAST("audited"."disease" AS VARCHAR) COLLATE C AS shown, COUNT(*) AS row_count
  FROM "clinic"."main"."released" AS audited
  GROUP BY CAST("audited"."disease" AS VARCHAR) COLLATE C
) AS valued;

-- the ledger of releases
CREATE TABLE IF NOT EXISTS "clinic"."main"."sqlgen_releases" (
  release_id BIGINT PRIMARY KEY,
  released_at TIMESTAMP NOT NULL,
  policy VARCHAR NOT NULL,
  folder VARCHAR NOT NULL,
  policy_fingerprint VARCHAR NOT NULL,
  lock_fingerprint VARCHAR NOT NULL,
  source VARCHAR NOT NULL,
  source_fingerprint VARCHAR NOT NULL,
  source_rows BIGINT NOT NULL,
  released_rows BIGINT NOT NULL,
  suppressed_rows BIGINT NOT NULL,
  masked_rows BIGINT NOT NULL,
  classes BIGINT NOT NULL,
  null_rows VARCHAR NOT NULL,
  recoding VARCHAR NOT NULL,
  decision VARCHAR NOT NULL,
  sensitive_levels VARCHAR NOT NULL,
  hierarchies VARCHAR NOT NULL,
  guarantees VARCHAR NOT NULL,
  target_kind VARCHAR NOT NULL,
  target VARCHAR NOT NULL,
  place VARCHAR NOT NULL,
  since_column VARCHAR,
  since_type VARCHAR,
  since_after TIMESTAMP,
  since_until TIMESTAMP,
  settled_rows BIGINT,
  sqlgen_version VARCHAR NOT NULL,
  engine_version VARCHAR NOT NULL,
  source_query VARCHAR
);

INSERT INTO "clinic"."main"."sqlgen_releases" (
  release_id, released_at, policy, folder, policy_fingerprint, lock_fingerprint, source,
  source_fingerprint, source_rows, released_rows, suppressed_rows, masked_rows, classes, null_rows,
  recoding, decision, sensitive_levels, hierarchies, guarantees, target_kind, target, place,
  since_column, since_type, since_after, since_until, settled_rows, sqlgen_version, engine_version,
  source_query
)
WITH entry AS (
  SELECT
    (SELECT COALESCE(MAX(release_id), 0) + 1 FROM "clinic"."main"."sqlgen_releases") AS release_id,
    CAST(CURRENT_TIMESTAMP AT TIME ZONE 'UTC' AS TIMESTAMP) AS released_at,
    source_rows,
    release_rows AS released_rows,
    source_rows - release_rows AS suppressed_rows,
    masked_rows,
    class_count AS classes,
    (
      SELECT '{"name": ' || CAST(COUNT(*) - COUNT("source"."name") AS VARCHAR)
        || ', "zip": ' || CAST(COUNT(*) - COUNT("source"."zip") AS VARCHAR)
        || ', "age": ' || CAST(COUNT(*) - COUNT("source"."age") AS VARCHAR)
        || ', "disease": ' || CAST(COUNT(*) - COUNT("source"."disease") AS VARCHAR)
        || ', "visits": ' || CAST(COUNT(*) - COUNT("source"."visits") AS VARCHAR)
        || ', "seen": ' || CAST(COUNT(*) - COUNT("source"."seen") AS VARCHAR)
        || ', "called": ' || CAST(COUNT(*) - COUNT("source"."called") AS VARCHAR)
        || ', "weight": ' || CAST(COUNT(*) - COUNT("source"."weight") AS VARCHAR)
        || '}'
      FROM "clinic"."main"."patients" AS source
    ) AS null_rows,
    '[{"name": "k_anonymity", "parameters": {"k": 3}, "measured": ' || CASE
      WHEN measured_1 IS NULL THEN 'null'
      WHEN measured_1 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_1 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "positive_disclosure", "parameters": {"column": "disease", "prior": {"table": "town", "weight": "weight"}, "ruled_out": "fail", "delta": 0}, "measured": ' || CASE
      WHEN measured_2 IS NULL THEN 'null'
      WHEN measured_2 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_2 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "negative_disclosure", "parameters": {"column": "disease", "prior": "released", "epsilon": "0.01"}, "measured": ' || CASE
      WHEN measured_3 IS NULL THEN 'null'
      WHEN measured_3 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_3 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "belief_breach", "parameters": {"column": "disease", "prior": "released", "rho_1": "0.01", "rho_2": "0.99"}, "measured": ' || CASE
      WHEN measured_4 IS NULL THEN 'null'
      WHEN measured_4 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_4 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "n_t_closeness", "parameters": {"column": "disease", "t": 1, "distance": "ordered", "n": 5, "supersets": [["zip"]]}, "measured": ' || CASE
      WHEN measured_5 IS NULL THEN 'null'
      WHEN measured_5 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_5 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "n_t_closeness", "parameters": {"column": "disease", "t": 1, "distance": "hierarchical", "n": 5}, "measured": ' || CASE
      WHEN measured_6 IS NULL THEN 'null'
      WHEN measured_6 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_6 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ']' AS guarantees,
    NULL AS settled_rows,
    VERSION() AS engine_version,
    'policy.yml' AS policy,
    '.' AS folder,
    'sha256:92dc4e57af5372f0fe50937e0a989542' AS policy_fingerprint,
    '<lock>' AS lock_fingerprint,
    'patients' AS source,
    'sha256:d70cbb88bf71e0a87bb2dd8260bed2bd' AS source_fingerprint,
    'full_domain' AS recoding,
    '{"levels": {"age": 1, "zip": 0}}' AS decision,
    '{"disease": 0}' AS sensitive_levels,
    '{"disease": "sha256:5d930c05713623c3b1c5491c9d51c9d9"}' AS hierarchies,
    'table' AS target_kind,
    'released' AS target,
    '"main"."released"' AS place,
    CAST(NULL AS VARCHAR) AS since_column,
    CAST(NULL AS VARCHAR) AS since_type,
    CAST(NULL AS TIMESTAMP) AS since_after,
    CAST(NULL AS TIMESTAMP) AS since_until,
    <version>,
    CAST(NULL AS VARCHAR) AS source_query
  FROM temp.main."sqlgen_audit"
)
SELECT
  release_id, released_at, policy, folder, policy_fingerprint, lock_fingerprint, source,
  source_fingerprint, source_rows, released_rows, suppressed_rows, masked_rows, classes, null_rows,
  recoding, decision, sensitive_levels, hierarchies, guarantees, target_kind, target, place,
  since_column, since_type, since_after, since_until, settled_rows, sqlgen_version, engine_version,
  source_query
FROM entry
RETURNING release_id;

DROP TABLE IF EXISTS temp.main."sqlgen_audit";

DROP TABLE IF EXISTS temp.main."sqlgen_lookup_1";

DROP TABLE IF EXISTS temp.main."sqlgen_lookup_2";

-- from here on the release is visible
COMMIT;

-- what stands now
SELECT
  (SELECT COUNT(*) FROM "clinic"."main"."released") AS release_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released') AS release_object;
