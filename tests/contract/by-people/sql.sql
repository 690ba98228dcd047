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
      AND system.main.lower(function_name) IN ('%', '*', '+', '-', '/', '//', 'array_extract', 'array_slice', 'ceil', 'contains', 'count', 'count_star', 'dense_rank', 'duckdb_tables', 'element_at', 'error', 'get_current_timestamp', 'greatest', 'least', 'length', 'list_extract', 'list_slice', 'list_value', 'map_extract', 'map_extract_value', 'max', 'min', 'now', 'quantile_disc', 'range', 'repeat', 'row', 'row_number', 'struct_extract', 'substring', 'sum', 'timezone', 'translate', 'unnest', 'version', '||')
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
valued_cell AS (
  SELECT
    cell.*
  FROM cell AS cell
),
counted AS MATERIALIZED (
  SELECT
    q1 AS key_1,
    q2 AS key_2,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM valued_cell AS cell
  GROUP BY q1, q2
),
class AS MATERIALIZED (
  SELECT
    key_1,
    key_2,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY key_1, key_2
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
    counted.row_count
  FROM counted
  JOIN class
    ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2
  WHERE NOT (class_size < 3)
),
person_1 AS MATERIALIZED (
  SELECT
    DENSE_RANK() OVER (ORDER BY q1 ASC NULLS FIRST, q2 ASC NULLS FIRST) AS person_id,
    *
  FROM (
    SELECT
      CAST("referred"."zip" AS VARCHAR) COLLATE C AS q1,
      "referred"."age" AS q2,
      CAST(SUM(1) AS BIGINT) AS person_count
    FROM (
    SELECT
      "zip",
      CAST("age" AS INTEGER) AS "age",
      "disease",
      "weight"
    FROM "clinic"."main"."town"
  ) AS referred
    GROUP BY CAST("referred"."zip" AS VARCHAR) COLLATE C, "referred"."age"
    HAVING SUM(1) > 0
  ) AS person
),
people_1 AS MATERIALIZED (
  SELECT
    class.class_id,
    matched.person_id,
    matched.person_count
  FROM (
    WITH named_person AS MATERIALIZED (
      SELECT
        name_1.id AS key_1,
        name_2.id AS key_2,
        person.person_id,
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
  SELECT class_id, class_size
  FROM (
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 AS fails,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3)) AS repair,
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
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= CAST(0.000000001 AS DOUBLE), FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4,
        verdict_5.figure AS figure_5,
        CASE WHEN verdict_5.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_5.figure <= 1.7976931348623157e308, FALSE) END AS fails_5,
        CASE
          WHEN NOT COALESCE(verdict_5.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_5,
        verdict_6.figure AS figure_6,
        CASE WHEN verdict_6.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= 1.7976931348623157e308, FALSE) END AS fails_6,
        CASE
          WHEN NOT COALESCE(verdict_6.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_6
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class.class_id,
          COALESCE(matched.person_count, 0) < 2 AS fails,
          COALESCE(matched.person_count, 0) AS figure,
          class.class_size AS repair
        FROM class_0 AS class
        LEFT JOIN (
          SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
          FROM people_1
          GROUP BY class_id
        ) AS matched
          ON class.class_id = matched.class_id
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          class_size * 1 > 1 * person_count
            OR class_size * 100 < 1 * person_count
            OR missing_people > 0 AS fails,
          CASE WHEN person_count > 0 THEN class_size / person_count ELSE CAST('infinity' AS DOUBLE) END AS figure,
          CASE WHEN class_size * 100 < 1 * person_count THEN class_size ELSE GREATEST(0, class_size - person_count * (1 / 1)) END AS repair
        FROM (
          SELECT
            class.class_id,
            CAST(class.class_size AS HUGEINT) AS class_size,
            CAST(COALESCE(matched.person_count, 0) AS HUGEINT) AS person_count,
            missing.person_count AS missing_people
          FROM class_0 AS class
          LEFT JOIN (
            SELECT class_id, SUM(person_count) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          CROSS JOIN (
            SELECT COUNT(*) AS person_count
            FROM person_1 AS person
            WHERE person.person_id NOT IN (
              SELECT people.person_id
              FROM people_1 AS people
              JOIN class_0 AS class
                ON people.class_id = class.class_id
            )
          ) AS missing
        ) AS class_presence
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          linked > 0 AS fails,
          linked AS figure,
          0 AS repair
        FROM (
          SELECT
            class.class_id,
            CASE WHEN class.class_size * CAST(1 AS HUGEINT) < 2 THEN matched.person_count ELSE 0 END AS linked
          FROM class_0 AS class
          JOIN (
            SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          UNION ALL
          SELECT class_id, 0 AS linked
          FROM class_0 AS class
          WHERE class_id NOT IN (SELECT class_id FROM people_1)
        ) AS class_linkage
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          linked AS figure,
          0 AS repair
        FROM (
          SELECT
            class.class_id,
            CASE WHEN matched.person_count * CAST(1 AS HUGEINT) < 2 THEN matched.person_count ELSE 0 END AS linked
          FROM class_0 AS class
          JOIN (
            SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          UNION ALL
          SELECT class_id, 0 AS linked
          FROM class_0 AS class
          WHERE class_id NOT IN (SELECT class_id FROM people_1)
        ) AS class_linkage
      ) AS verdict_5
        ON class.class_id = verdict_5.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          linked AS figure,
          0 AS repair
        FROM (
          SELECT
            class.class_id,
            CAST((LEAST(class.class_size, matched.person_count) * CAST(1000000000000 AS HUGEINT) + GREATEST(class.class_size, matched.person_count) - 1) // GREATEST(class.class_size, matched.person_count) AS DECIMAL(38, 0)) * CAST(0.000000000001 AS DECIMAL(12, 12)) AS linked
          FROM class_0 AS class
          JOIN (
            SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          UNION ALL
          SELECT class_id, 0 AS linked
          FROM class_0 AS class
          WHERE class_id NOT IN (SELECT class_id FROM people_1)
        ) AS class_linkage
      ) AS verdict_6
        ON class.class_id = verdict_6.class_id
    ) AS judged
  ) AS verdict
  WHERE NOT fails
),
class_cell_1 AS MATERIALIZED (
  SELECT
    class.*,
    cell.row_count
  FROM class_cell_0 AS cell
  JOIN class_1 AS class
    ON cell.class_id = class.class_id
),
class_2 AS MATERIALIZED (
  SELECT class_id, class_size
  FROM (
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 AS fails,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3)) AS repair,
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
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= CAST(0.000000001 AS DOUBLE), FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4,
        verdict_5.figure AS figure_5,
        CASE WHEN verdict_5.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_5.figure <= 1.7976931348623157e308, FALSE) END AS fails_5,
        CASE
          WHEN NOT COALESCE(verdict_5.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_5,
        verdict_6.figure AS figure_6,
        CASE WHEN verdict_6.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= 1.7976931348623157e308, FALSE) END AS fails_6,
        CASE
          WHEN NOT COALESCE(verdict_6.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_6
      FROM class_1 AS class
      LEFT JOIN (
        SELECT
          class.class_id,
          COALESCE(matched.person_count, 0) < 2 AS fails,
          COALESCE(matched.person_count, 0) AS figure,
          class.class_size AS repair
        FROM class_1 AS class
        LEFT JOIN (
          SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
          FROM people_1
          GROUP BY class_id
        ) AS matched
          ON class.class_id = matched.class_id
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          class_size * 1 > 1 * person_count
            OR class_size * 100 < 1 * person_count
            OR missing_people > 0 AS fails,
          CASE WHEN person_count > 0 THEN class_size / person_count ELSE CAST('infinity' AS DOUBLE) END AS figure,
          CASE WHEN class_size * 100 < 1 * person_count THEN class_size ELSE GREATEST(0, class_size - person_count * (1 / 1)) END AS repair
        FROM (
          SELECT
            class.class_id,
            CAST(class.class_size AS HUGEINT) AS class_size,
            CAST(COALESCE(matched.person_count, 0) AS HUGEINT) AS person_count,
            missing.person_count AS missing_people
          FROM class_1 AS class
          LEFT JOIN (
            SELECT class_id, SUM(person_count) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          CROSS JOIN (
            SELECT COUNT(*) AS person_count
            FROM person_1 AS person
            WHERE person.person_id NOT IN (
              SELECT people.person_id
              FROM people_1 AS people
              JOIN class_1 AS class
                ON people.class_id = class.class_id
            )
          ) AS missing
        ) AS class_presence
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          linked > 0 AS fails,
          linked AS figure,
          0 AS repair
        FROM (
          SELECT
            class.class_id,
            CASE WHEN class.class_size * CAST(1 AS HUGEINT) < 2 THEN matched.person_count ELSE 0 END AS linked
          FROM class_1 AS class
          JOIN (
            SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          UNION ALL
          SELECT class_id, 0 AS linked
          FROM class_1 AS class
          WHERE class_id NOT IN (SELECT class_id FROM people_1)
        ) AS class_linkage
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          linked AS figure,
          0 AS repair
        FROM (
          SELECT
            class.class_id,
            CASE WHEN matched.person_count * CAST(1 AS HUGEINT) < 2 THEN matched.person_count ELSE 0 END AS linked
          FROM class_1 AS class
          JOIN (
            SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          UNION ALL
          SELECT class_id, 0 AS linked
          FROM class_1 AS class
          WHERE class_id NOT IN (SELECT class_id FROM people_1)
        ) AS class_linkage
      ) AS verdict_5
        ON class.class_id = verdict_5.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          linked AS figure,
          0 AS repair
        FROM (
          SELECT
            class.class_id,
            CAST((LEAST(class.class_size, matched.person_count) * CAST(1000000000000 AS HUGEINT) + GREATEST(class.class_size, matched.person_count) - 1) // GREATEST(class.class_size, matched.person_count) AS DECIMAL(38, 0)) * CAST(0.000000000001 AS DECIMAL(12, 12)) AS linked
          FROM class_1 AS class
          JOIN (
            SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          UNION ALL
          SELECT class_id, 0 AS linked
          FROM class_1 AS class
          WHERE class_id NOT IN (SELECT class_id FROM people_1)
        ) AS class_linkage
      ) AS verdict_6
        ON class.class_id = verdict_6.class_id
    ) AS judged
  ) AS verdict
  WHERE NOT fails
),
class_cell_2 AS MATERIALIZED (
  SELECT
    class.*,
    cell.row_count
  FROM class_cell_1 AS cell
  JOIN class_2 AS class
    ON cell.class_id = class.class_id
),
released_class AS MATERIALIZED (
  SELECT class.*
  FROM class
  JOIN (
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 AS fails,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3)) AS repair,
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
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= CAST(0.000000001 AS DOUBLE), FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4,
        verdict_5.figure AS figure_5,
        CASE WHEN verdict_5.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_5.figure <= 1.7976931348623157e308, FALSE) END AS fails_5,
        CASE
          WHEN NOT COALESCE(verdict_5.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_5,
        verdict_6.figure AS figure_6,
        CASE WHEN verdict_6.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= 1.7976931348623157e308, FALSE) END AS fails_6,
        CASE
          WHEN NOT COALESCE(verdict_6.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_6
      FROM class_2 AS class
      LEFT JOIN (
        SELECT
          class.class_id,
          COALESCE(matched.person_count, 0) < 2 AS fails,
          COALESCE(matched.person_count, 0) AS figure,
          class.class_size AS repair
        FROM class_2 AS class
        LEFT JOIN (
          SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
          FROM people_1
          GROUP BY class_id
        ) AS matched
          ON class.class_id = matched.class_id
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          class_size * 1 > 1 * person_count
            OR class_size * 100 < 1 * person_count
            OR missing_people > 0 AS fails,
          CASE WHEN person_count > 0 THEN class_size / person_count ELSE CAST('infinity' AS DOUBLE) END AS figure,
          CASE WHEN class_size * 100 < 1 * person_count THEN class_size ELSE GREATEST(0, class_size - person_count * (1 / 1)) END AS repair
        FROM (
          SELECT
            class.class_id,
            CAST(class.class_size AS HUGEINT) AS class_size,
            CAST(COALESCE(matched.person_count, 0) AS HUGEINT) AS person_count,
            missing.person_count AS missing_people
          FROM class_2 AS class
          LEFT JOIN (
            SELECT class_id, SUM(person_count) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          CROSS JOIN (
            SELECT COUNT(*) AS person_count
            FROM person_1 AS person
            WHERE person.person_id NOT IN (
              SELECT people.person_id
              FROM people_1 AS people
              JOIN class_2 AS class
                ON people.class_id = class.class_id
            )
          ) AS missing
        ) AS class_presence
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          linked > 0 AS fails,
          linked AS figure,
          0 AS repair
        FROM (
          SELECT
            class.class_id,
            CASE WHEN class.class_size * CAST(1 AS HUGEINT) < 2 THEN matched.person_count ELSE 0 END AS linked
          FROM class_2 AS class
          JOIN (
            SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          UNION ALL
          SELECT class_id, 0 AS linked
          FROM class_2 AS class
          WHERE class_id NOT IN (SELECT class_id FROM people_1)
        ) AS class_linkage
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          linked AS figure,
          0 AS repair
        FROM (
          SELECT
            class.class_id,
            CASE WHEN matched.person_count * CAST(1 AS HUGEINT) < 2 THEN matched.person_count ELSE 0 END AS linked
          FROM class_2 AS class
          JOIN (
            SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          UNION ALL
          SELECT class_id, 0 AS linked
          FROM class_2 AS class
          WHERE class_id NOT IN (SELECT class_id FROM people_1)
        ) AS class_linkage
      ) AS verdict_5
        ON class.class_id = verdict_5.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          linked AS figure,
          0 AS repair
        FROM (
          SELECT
            class.class_id,
            CAST((LEAST(class.class_size, matched.person_count) * CAST(1000000000000 AS HUGEINT) + GREATEST(class.class_size, matched.person_count) - 1) // GREATEST(class.class_size, matched.person_count) AS DECIMAL(38, 0)) * CAST(0.000000000001 AS DECIMAL(12, 12)) AS linked
          FROM class_2 AS class
          JOIN (
            SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          UNION ALL
          SELECT class_id, 0 AS linked
          FROM class_2 AS class
          WHERE class_id NOT IN (SELECT class_id FROM people_1)
        ) AS class_linkage
      ) AS verdict_6
        ON class.class_id = verdict_6.class_id
    ) AS judged
  ) AS verdict
    ON class.class_id = verdict.class_id
  WHERE NOT verdict.fails
),
sized_cell AS (
  SELECT
    cell.*,
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
  ) AS uncovered_values,
  (
    0
    + (SELECT COUNT(value) - COUNT(DISTINCT value) FROM temp.main."sqlgen_lookup_1")
    + (SELECT COUNT(value) - COUNT(DISTINCT value) FROM temp.main."sqlgen_lookup_2")
  ) AS repeated_values,
  0 AS uncounted_rows,
  0 AS empty_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released') AS release_object
FROM (
  WITH
  cell AS MATERIALIZED (
    SELECT
      CAST("audited"."zip" AS VARCHAR) COLLATE C AS q1,
      CAST("audited"."age" AS VARCHAR) COLLATE C AS q2,
      COUNT(*) AS row_count
    FROM "clinic"."main"."released" AS audited
    GROUP BY CAST("audited"."zip" AS VARCHAR) COLLATE C, CAST("audited"."age" AS VARCHAR) COLLATE C
  ),
  valued_cell AS (
    SELECT
      cell.*
    FROM cell AS cell
  ),
  counted AS MATERIALIZED (
    SELECT
      q1 AS key_1,
      q2 AS key_2,
      CAST(SUM(row_count) AS BIGINT) AS row_count
    FROM valued_cell AS cell
    GROUP BY q1, q2
  ),
  class AS MATERIALIZED (
    SELECT
      key_1,
      key_2,
      ROW_NUMBER() OVER () AS class_id,
      CAST(SUM(row_count) AS BIGINT) AS class_size
    FROM counted
    GROUP BY key_1, key_2
  ),
  class_0 AS (
    SELECT class_id, class_size
    FROM class
    WHERE NOT (FALSE)
  ),
  class_cell_0 AS MATERIALIZED (
    SELECT
      class.class_id,
      class.class_size,
      counted.row_count
    FROM counted
    JOIN class
      ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2
    WHERE NOT (FALSE)
  ),
  person_1 AS MATERIALIZED (
    SELECT
      DENSE_RANK() OVER (ORDER BY q1 ASC NULLS FIRST, q2 ASC NULLS FIRST) AS person_id,
      *
    FROM (
      SELECT
        CAST("referred"."zip" AS VARCHAR) COLLATE C AS q1,
        "referred"."age" AS q2,
        CAST(SUM(1) AS BIGINT) AS person_count
      FROM (
      SELECT
        "zip",
        CAST("age" AS INTEGER) AS "age",
        "disease",
        "weight"
      FROM "clinic"."main"."town"
    ) AS referred
      GROUP BY CAST("referred"."zip" AS VARCHAR) COLLATE C, "referred"."age"
      HAVING SUM(1) > 0
    ) AS person
  ),
  people_1 AS MATERIALIZED (
    SELECT
      class.class_id,
      matched.person_id,
      matched.person_count
    FROM (
      WITH named_person AS MATERIALIZED (
        SELECT
          name_1.id AS key_1,
          name_2.id AS key_2,
          person.person_id,
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
    CAST(COALESCE(SUM(class_size) FILTER (WHERE FALSE), 0) AS BIGINT) AS masked_rows,
    COALESCE(MIN(figure_1), 0) AS measured_1,
    COUNT(*) FILTER (WHERE fails_1) AS failing_classes_1,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_1), 0) AS BIGINT) AS failing_rows_1,
    QUANTILE_DISC(figure_1, [0, 0.25, 0.5, 0.75, 1]) AS figures_1,
    COALESCE(MIN(figure_2), 0) AS measured_2,
    COUNT(*) FILTER (WHERE fails_2) AS failing_classes_2,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_2), 0) AS BIGINT) AS failing_rows_2,
    QUANTILE_DISC(figure_2, [0, 0.25, 0.5, 0.75, 1]) AS figures_2,
    COALESCE(MAX(figure_3), 0) AS measured_3,
    COUNT(*) FILTER (WHERE fails_3) AS failing_classes_3,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_3), 0) AS BIGINT) AS failing_rows_3,
    QUANTILE_DISC(figure_3, [0, 0.25, 0.5, 0.75, 1]) AS figures_3,
    COALESCE(SUM(figure_4)::BIGINT, 0) AS measured_4,
    COUNT(*) FILTER (WHERE fails_4) AS failing_classes_4,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_4), 0) AS BIGINT) AS failing_rows_4,
    QUANTILE_DISC(figure_4, [0, 0.25, 0.5, 0.75, 1]) AS figures_4,
    COALESCE(SUM(figure_5)::BIGINT, 0) AS measured_5,
    COUNT(*) FILTER (WHERE fails_5) AS failing_classes_5,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_5), 0) AS BIGINT) AS failing_rows_5,
    QUANTILE_DISC(figure_5, [0, 0.25, 0.5, 0.75, 1]) AS figures_5,
    COALESCE(SUM(figure_6)::DECIMAL(38, 12), 0) AS measured_6,
    COUNT(*) FILTER (WHERE fails_6) AS failing_classes_6,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_6), 0) AS BIGINT) AS failing_rows_6,
    QUANTILE_DISC(figure_6, [0, 0.25, 0.5, 0.75, 1]) AS figures_6
  FROM (
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 AS fails,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3)) AS repair,
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
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= CAST(0.000000001 AS DOUBLE), FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4,
        verdict_5.figure AS figure_5,
        CASE WHEN verdict_5.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_5.figure <= 1.7976931348623157e308, FALSE) END AS fails_5,
        CASE
          WHEN NOT COALESCE(verdict_5.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_5,
        verdict_6.figure AS figure_6,
        CASE WHEN verdict_6.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= 1.7976931348623157e308, FALSE) END AS fails_6,
        CASE
          WHEN NOT COALESCE(verdict_6.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_6
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class.class_id,
          COALESCE(matched.person_count, 0) < 2 AS fails,
          COALESCE(matched.person_count, 0) AS figure,
          class.class_size AS repair
        FROM class_0 AS class
        LEFT JOIN (
          SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
          FROM people_1
          GROUP BY class_id
        ) AS matched
          ON class.class_id = matched.class_id
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          class_size * 1 > 1 * person_count
            OR class_size * 100 < 1 * person_count
            OR missing_people > 0 AS fails,
          CASE WHEN person_count > 0 THEN class_size / person_count ELSE CAST('infinity' AS DOUBLE) END AS figure,
          CASE WHEN class_size * 100 < 1 * person_count THEN class_size ELSE GREATEST(0, class_size - person_count * (1 / 1)) END AS repair
        FROM (
          SELECT
            class.class_id,
            CAST(class.class_size AS HUGEINT) AS class_size,
            CAST(COALESCE(matched.person_count, 0) AS HUGEINT) AS person_count,
            missing.person_count AS missing_people
          FROM class_0 AS class
          LEFT JOIN (
            SELECT class_id, SUM(person_count) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          CROSS JOIN (
            SELECT COUNT(*) AS person_count
            FROM person_1 AS person
            WHERE person.person_id NOT IN (
              SELECT people.person_id
              FROM people_1 AS people
              JOIN class_0 AS class
                ON people.class_id = class.class_id
            )
          ) AS missing
        ) AS class_presence
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          linked > 0 AS fails,
          linked AS figure,
          0 AS repair
        FROM (
          SELECT
            class.class_id,
            CASE WHEN class.class_size * CAST(1 AS HUGEINT) < 2 THEN matched.person_count ELSE 0 END AS linked
          FROM class_0 AS class
          JOIN (
            SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          UNION ALL
          SELECT class_id, 0 AS linked
          FROM class_0 AS class
          WHERE class_id NOT IN (SELECT class_id FROM people_1)
        ) AS class_linkage
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          linked AS figure,
          0 AS repair
        FROM (
          SELECT
            class.class_id,
            CASE WHEN matched.person_count * CAST(1 AS HUGEINT) < 2 THEN matched.person_count ELSE 0 END AS linked
          FROM class_0 AS class
          JOIN (
            SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          UNION ALL
          SELECT class_id, 0 AS linked
          FROM class_0 AS class
          WHERE class_id NOT IN (SELECT class_id FROM people_1)
        ) AS class_linkage
      ) AS verdict_5
        ON class.class_id = verdict_5.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          linked AS figure,
          0 AS repair
        FROM (
          SELECT
            class.class_id,
            CAST((LEAST(class.class_size, matched.person_count) * CAST(1000000000000 AS HUGEINT) + GREATEST(class.class_size, matched.person_count) - 1) // GREATEST(class.class_size, matched.person_count) AS DECIMAL(38, 0)) * CAST(0.000000000001 AS DECIMAL(12, 12)) AS linked
          FROM class_0 AS class
          JOIN (
            SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
            FROM people_1
            GROUP BY class_id
          ) AS matched
            ON class.class_id = matched.class_id
          UNION ALL
          SELECT class_id, 0 AS linked
          FROM class_0 AS class
          WHERE class_id NOT IN (SELECT class_id FROM people_1)
        ) AS class_linkage
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
    WHEN NOT COALESCE(empty_rows >= 0 AND empty_rows <= masked_rows AND (source_rows - release_rows + masked_rows - empty_rows) * 1 <= 0, FALSE)
      THEN system.main.error('more rows are suppressed than the policy allows; nothing was changed')
    WHEN NOT COALESCE(class_count > 0 AND failing_classes_1 = 0 AND failing_rows_1 = 0 AND failing_classes_2 = 0 AND failing_rows_2 = 0 AND failing_classes_3 = 0 AND failing_rows_3 = 0 AND failing_classes_4 = 0 AND failing_rows_4 = 0 AND failing_classes_5 = 0 AND failing_rows_5 = 0 AND failing_classes_6 = 0 AND failing_rows_6 = 0 AND measured_4 * 1 <= 0 AND measured_5 * 1 <= 1 * release_rows AND measured_6 * 1 <= 1 * release_rows, FALSE)
      THEN system.main.error('the release does not give what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_1 BETWEEN CAST(2.999999699 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_2 BETWEEN CAST(1.999999799 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_3 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(1.000000101 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_4 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.000000001 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_5 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_6 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
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
      || ', {"name": "k_map", "parameters": {"population": {"table": "town"}, "k": 2}, "measured": ' || CASE
      WHEN measured_2 IS NULL THEN 'null'
      WHEN measured_2 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_2 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "delta_presence", "parameters": {"population": {"table": "town"}, "most": 1, "least": "0.01"}, "measured": ' || CASE
      WHEN measured_3 IS NULL THEN 'null'
      WHEN measured_3 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_3 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "linkage", "parameters": {"at_most": "0", "known": {"table": "town"}, "risk": "prosecutor", "above": "0.5"}, "measured": ' || CASE
      WHEN measured_4 IS NULL THEN 'null'
      WHEN measured_4 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_4 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "linkage", "parameters": {"at_most": "100%", "known": {"table": "town"}, "risk": "journalist", "above": "0.5"}, "measured": ' || CASE
      WHEN measured_5 IS NULL THEN 'null'
      WHEN measured_5 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_5 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "linkage", "parameters": {"at_most": "100%", "known": {"table": "town"}, "risk": "marketer"}, "measured": ' || CASE
      WHEN measured_6 IS NULL THEN 'null'
      WHEN measured_6 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_6 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ']' AS guarantees,
    NULL AS settled_rows,
    VERSION() AS engine_version,
    'policy.yml' AS policy,
    '.' AS folder,
    'sha256:59718fd9e25a6f95b29e14d1ef406e05' AS policy_fingerprint,
    '<lock>' AS lock_fingerprint,
    'patients' AS source,
    'sha256:d70cbb88bf71e0a87bb2dd8260bed2bd' AS source_fingerprint,
    'full_domain' AS recoding,
    '{"levels": {"age": 1, "zip": 0}}' AS decision,
    '{"disease": 0}' AS sensitive_levels,
    '{}' AS hierarchies,
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
