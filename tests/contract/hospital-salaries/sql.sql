-- exit: 0
-- stderr: Using salaries.lock.

-- release table salaries_anon, all or nothing
BEGIN TRANSACTION;

-- stop here where a function or a setting means something else
SELECT
  CASE
    WHEN EXISTS (
      SELECT function_name
      FROM system.main.duckdb_functions()
      WHERE NOT internal
      AND system.main.lower(function_name) IN ('*', '+', '-', '/', '//', 'array_extract', 'array_slice', 'ceil', 'count', 'count_star', 'dense_rank', 'duckdb_tables', 'element_at', 'error', 'get_current_timestamp', 'greatest', 'lag', 'least', 'list', 'list_extract', 'list_slice', 'list_sort', 'list_value', 'map_extract', 'map_extract_value', 'max', 'min', 'now', 'nullif', 'quantile_disc', 'range', 'read_csv', 'row', 'row_number', 'struct_extract', 'sum', 'timezone', 'translate', 'unnest', 'version', '||')
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
  AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'salaries_anon';

-- zip: level 1 of 3, patients_zip.csv, level 1
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_lookup_1" AS
WITH labelled AS (
  SELECT
    *,
    CASE
      WHEN value IS NULL THEN NULL
      WHEN label_1 IS NULL THEN 1
      WHEN label_2 IS NULL THEN 2
      WHEN NOT is_listed THEN 3
    END AS missing_level
  FROM (
    SELECT
      COALESCE(value_count.value, leaf.value) AS value,
      COALESCE(value_count.row_count, 0) AS row_count,
      leaf.value IS NOT NULL AS is_listed,
      leaf.label_1,
      leaf.label_2
    FROM (
      SELECT CAST("source"."zip" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
      FROM "clinic"."main"."salaries" AS source
      GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
    ) AS value_count
    FULL JOIN (
      SELECT DISTINCT
        TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
        NULLIF(CAST(field_1 AS VARCHAR) COLLATE C, '') AS label_1,
        NULLIF(CAST(field_2 AS VARCHAR) COLLATE C, '') AS label_2
      FROM READ_CSV('<folder>/patients_zip.csv', header = FALSE, all_varchar = TRUE, delim = ';', quote = '"', escape = '"', skip = 0, comment = '', nullstr = '', allow_quoted_nulls = FALSE, null_padding = FALSE, ignore_errors = FALSE, sample_size = -1, hive_partitioning = FALSE) AS line (field_0, field_1, field_2, field_3)
      WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
    ) AS leaf
      ON value_count.value = leaf.value
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

-- age: level 1 of 2, cut at 40
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
      CASE
              WHEN value IS NULL THEN NULL
              WHEN value < 40 THEN '< 40'

              ELSE '>= 40'
            END AS label_1
    FROM (
      SELECT "source"."age" AS value, COUNT(*) AS row_count
      FROM "clinic"."main"."salaries" AS source
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
CREATE TABLE "clinic"."main"."salaries_anon" AS
WITH cell AS MATERIALIZED (
  SELECT
    q1.id AS q1,
    q2.id AS q2,
    "source"."salary" AS kept_1,
    CAST("source"."disease" AS VARCHAR) COLLATE C AS kept_2,
    COUNT(*) AS row_count
  FROM "clinic"."main"."salaries" AS source
  JOIN temp.main."sqlgen_lookup_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_lookup_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  GROUP BY q1.id, q2.id, "source"."salary", CAST("source"."disease" AS VARCHAR) COLLATE C
),
value_1 AS MATERIALIZED (
  WITH labelled AS (
    SELECT
      *,
      CASE
        WHEN value IS NULL THEN NULL
      END AS missing_level
    FROM (
      SELECT
        value,
        row_count
      FROM (
        SELECT "source"."salary" AS value, COUNT(*) AS row_count
        FROM (SELECT kept_1 AS "salary" FROM cell) AS source
        GROUP BY "source"."salary"
      ) AS value_count
    ) AS labels
  ),
  leaf AS (
    SELECT
      value,
      row_count,
      missing_level,
      TRUE AS is_kept,
      value AS final_0
    FROM labelled
  )
  SELECT
    value,
    row_count,
    missing_level,
    is_kept,
    CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
    ROW_NUMBER() OVER (ORDER BY value ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
  FROM leaf
),
value_2 AS MATERIALIZED (
  WITH labelled AS (
    SELECT
      *,
      CASE
        WHEN value IS NULL THEN NULL
        WHEN label_1 IS NULL THEN 1
        WHEN label_2 IS NULL THEN 2
        WHEN NOT is_listed THEN 3
      END AS missing_level
    FROM (
      SELECT
        COALESCE(value_count.value, leaf.value) AS value,
        COALESCE(value_count.row_count, 0) AS row_count,
        leaf.value IS NOT NULL AS is_listed,
        leaf.label_1,
        leaf.label_2
      FROM (
        SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
        FROM (SELECT kept_2 AS "disease" FROM cell) AS source
        GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
      ) AS value_count
      FULL JOIN (
        SELECT DISTINCT
          TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
          CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
          CAST(field_2 AS VARCHAR) COLLATE C AS label_2
        FROM (VALUES
          ('flu', 'respiratory infection', 'respiratory system diseases', '*'),
          ('pneumonia', 'respiratory infection', 'respiratory system diseases', '*'),
          ('bronchitis', 'respiratory infection', 'respiratory system diseases', '*'),
          ('gastric ulcer', 'stomach disease', 'digestive system diseases', '*'),
          ('stomach cancer', 'stomach disease', 'digestive system diseases', '*'),
          ('gastritis', 'stomach disease', 'digestive system diseases', '*')
        ) AS line (field_0, field_1, field_2, field_3)
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
          END) COLLATE C AS final_1,
      (CASE
            WHEN value IS NULL THEN NULL
            WHEN missing_level IS NOT NULL THEN NULL
            ELSE label_2
          END) COLLATE C AS final_2
    FROM labelled
  )
  SELECT
    value,
    row_count,
    missing_level,
    is_kept,
    CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
    CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1,
    CAST(DENSE_RANK() OVER (ORDER BY final_2 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_2
  FROM leaf
),
valued_cell AS (
  SELECT
    cell.*,
    value_1.id_0 AS v1,
    value_2.id_0 AS v2
  FROM cell AS cell
  JOIN value_1
    ON cell.kept_1 IS NOT DISTINCT FROM value_1.value
  JOIN value_2
    ON cell.kept_2 IS NOT DISTINCT FROM value_2.value
),
counted AS MATERIALIZED (
  SELECT
    q1 AS key_1,
    q2 AS key_2,
    v1,
    v2,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM valued_cell AS cell
  GROUP BY q1, q2, v1, v2
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
    counted.v1,
    counted.v2,
    counted.row_count
  FROM counted
  JOIN class
    ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2
  WHERE NOT (class_size < 3)
),
class_1 AS MATERIALIZED (
  SELECT class_id, class_size
  FROM (
    WITH
      histogram_1 AS MATERIALIZED (
        SELECT
          class_id,
          class_size,
          v2 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_0
        GROUP BY class_id, class_size, v2
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_0
      ),
      histogram_2 AS MATERIALIZED (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_0
        GROUP BY class_id, class_size, v1
      ),
      sized_2 AS (
        SELECT class_id, class_size
        FROM class_0
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM class_cell_0
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
        FROM histogram_2 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_1 AS total
      )
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 AS fails,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3, repair_4)) AS repair,
      figure_1,
      fails_1,
      figure_2,
      fails_2,
      figure_3,
      fails_3,
      figure_4,
      fails_4
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(2.999999699 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(0.000000001 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= CAST(0.2000000210000000111022313565 AS DOUBLE), FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 3 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(DISTINCT group_id) = 1 AS fails,
          CASE WHEN COUNT(DISTINCT group_id) = 1 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM (
          SELECT
            histogram.class_id,
            histogram.class_size,
            value.id_1 AS group_id
          FROM histogram_1 AS histogram
          JOIN value_2 AS value
            ON histogram.value_id = value.id_0
        ) AS class_group
        GROUP BY class_id, class_size
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 5 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 5 - unit * 1) / (unit * 4)) AS repair
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
                value_id,
                place,
                cumulative - reference_count AS cumulative_before,
                cumulative,
                CAST(SUM(CAST(cumulative AS HUGEINT)) OVER (ORDER BY place ASC) - cumulative AS HUGEINT) AS prefix_before
              FROM (
                SELECT
                  value_id,
                  reference_count,
                  ROW_NUMBER() OVER (ORDER BY position ASC) AS place,
                  CAST(SUM(reference_count) OVER (ORDER BY position ASC) AS BIGINT) AS cumulative
                FROM (
                  SELECT
                    value.id_0 AS value_id,
                    value.position,
                    COALESCE(reference.reference_count, 0) AS reference_count
                  FROM value_1 AS value
                  LEFT JOIN reference_1 AS reference
                    ON value.id_0 = reference.value_id
                  WHERE reference.reference_count > 0
                ) AS occurring_value
              ) AS placed_value
            ),
            class_start AS MATERIALIZED (
              SELECT
                class_id,
                class_size,
                CAST(SUM(class_size) OVER (ORDER BY class_id ASC) - class_size AS BIGINT) AS rows_before
              FROM sized_2
            ),
            class_sum AS MATERIALIZED (
              SELECT
                class_id,
                MIN(class_size) AS class_size,
                SUM(CASE WHEN was_ahead = is_ahead THEN 0 WHEN was_ahead THEN prefix_before ELSE -prefix_before END) AS prefixes,
                SUM((place - 1) * (CASE WHEN was_ahead THEN mass_before ELSE -mass_before END + CASE WHEN is_ahead THEN -mass ELSE mass END)) AS masses,
                LIST(mass_before) FILTER (WHERE is_parted) AS parted_masses
              FROM (
                SELECT
                  class_id,
                  class_size,
                  place,
                  prefix_before,
                  mass_before,
                  mass,
                  class_size * cumulative_before > owed_before AS was_ahead,
                  class_size * cumulative > CAST(reference_rows AS HUGEINT) * mass AS is_ahead,
                  mass_before > 0 AND class_size * cumulative_before > owed_before AND class_size * last_cumulative <= owed_before AS is_parted
                FROM (
                  SELECT
                    class_start.class_id,
                    CAST(class_start.class_size AS HUGEINT) AS class_size,
                    position.place,
                    position.prefix_before,
                    position.cumulative_before,
                    position.cumulative,
                    last_position.cumulative AS last_cumulative,
                    running_rows - class_start.rows_before - value_count AS mass_before,
                    running_rows - class_start.rows_before AS mass,
                    CAST(total.reference_rows AS HUGEINT) * (running_rows - class_start.rows_before - value_count) AS owed_before,
                    total.reference_rows
                  FROM (
                    SELECT
                      class_id,
                      value_id,
                      value_count,
                      CAST(SUM(value_count) OVER class_order AS BIGINT) AS running_rows,
                      LAG(value_id) OVER class_order AS last_value_id
                    FROM (
                      SELECT
                        CAST(histogram.class_id AS UINTEGER) AS class_id,
                        CAST(position.place AS UINTEGER) AS place,
                        histogram.value_id,
                        histogram.value_count
                      FROM histogram_2 AS histogram
                      JOIN position
                        ON histogram.value_id = position.value_id
                    ) AS placed_value
                    WINDOW class_order AS (ORDER BY class_id ASC, place ASC ROWS UNBOUNDED PRECEDING)
                  ) AS running_value
                  JOIN position
                    ON running_value.value_id = position.value_id
                  LEFT JOIN position AS last_position
                    ON running_value.last_value_id = last_position.value_id
                  JOIN class_start
                    ON running_value.class_id = class_start.class_id
                  CROSS JOIN total_1 AS total
                ) AS class_value
              ) AS class_value
              GROUP BY class_id
            ),
            parted AS (
              SELECT class_id, SUM(prefix) AS prefixes, SUM(mass * place) AS masses
              FROM (
                SELECT class_id, mass, MAX(place) OVER up_to AS place, MAX(prefix) OVER up_to AS prefix
                FROM (
                  SELECT
                    class_id,
                    mass,
                    CAST(total.reference_rows AS HUGEINT) * mass // class_size AS reached,
                    0 AS place,
                    0 AS prefix
                  FROM (SELECT class_id, class_size, UNNEST(parted_masses) AS mass FROM class_sum) AS gap
                  CROSS JOIN total_1 AS total
                  UNION ALL
                  SELECT NULL, NULL, cumulative, place, prefix_before + cumulative
                  FROM position
                ) AS gap_or_place
                WINDOW up_to AS (ORDER BY reached ASC)
              ) AS parted_gap
              WHERE class_id IS NOT NULL
              GROUP BY class_id
            )
            SELECT
              class_sum.class_id,
              class_sum.class_size,
              reference_rows,
              reference_values,
              reference_drift,
              vanishing_values,
              CAST(class_sum.class_size AS HUGEINT) * (2 * (class_sum.prefixes - COALESCE(parted.prefixes, 0)) - last_prefix)
                - CAST(reference_rows AS HUGEINT) * (class_sum.masses - 2 * COALESCE(parted.masses, 0) - CAST(last_place AS HUGEINT) * class_sum.class_size) AS work,
              GREATEST(CAST(last_place - 1 AS HUGEINT) * class_sum.class_size * reference_rows, 1) AS unit
            FROM class_sum
            LEFT JOIN parted
              ON class_sum.class_id = parted.class_id
            CROSS JOIN total_1 AS total
            CROSS JOIN (SELECT MAX(place) AS last_place, MAX(prefix_before + cumulative) AS last_prefix FROM position) AS last_position
          ) AS class_work
        ) AS class_distance
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
    ) AS judged
  ) AS verdict
  WHERE NOT fails
),
class_cell_1 AS MATERIALIZED (
  SELECT
    class.*,
    cell.v1,
    cell.v2,
    cell.row_count
  FROM class_cell_0 AS cell
  JOIN class_1 AS class
    ON cell.class_id = class.class_id
),
class_2 AS MATERIALIZED (
  SELECT class_id, class_size
  FROM (
    WITH
      histogram_1 AS MATERIALIZED (
        SELECT
          class_id,
          class_size,
          v2 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_1
        GROUP BY class_id, class_size, v2
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_1
      ),
      histogram_2 AS MATERIALIZED (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_1
        GROUP BY class_id, class_size, v1
      ),
      sized_2 AS (
        SELECT class_id, class_size
        FROM class_1
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM class_cell_1
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
        FROM histogram_2 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_1 AS total
      )
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 AS fails,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3, repair_4)) AS repair,
      figure_1,
      fails_1,
      figure_2,
      fails_2,
      figure_3,
      fails_3,
      figure_4,
      fails_4
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(2.999999699 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(0.000000001 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= CAST(0.2000000210000000111022313565 AS DOUBLE), FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4
      FROM class_1 AS class
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 3 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(DISTINCT group_id) = 1 AS fails,
          CASE WHEN COUNT(DISTINCT group_id) = 1 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM (
          SELECT
            histogram.class_id,
            histogram.class_size,
            value.id_1 AS group_id
          FROM histogram_1 AS histogram
          JOIN value_2 AS value
            ON histogram.value_id = value.id_0
        ) AS class_group
        GROUP BY class_id, class_size
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 5 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 5 - unit * 1) / (unit * 4)) AS repair
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
                value_id,
                place,
                cumulative - reference_count AS cumulative_before,
                cumulative,
                CAST(SUM(CAST(cumulative AS HUGEINT)) OVER (ORDER BY place ASC) - cumulative AS HUGEINT) AS prefix_before
              FROM (
                SELECT
                  value_id,
                  reference_count,
                  ROW_NUMBER() OVER (ORDER BY position ASC) AS place,
                  CAST(SUM(reference_count) OVER (ORDER BY position ASC) AS BIGINT) AS cumulative
                FROM (
                  SELECT
                    value.id_0 AS value_id,
                    value.position,
                    COALESCE(reference.reference_count, 0) AS reference_count
                  FROM value_1 AS value
                  LEFT JOIN reference_1 AS reference
                    ON value.id_0 = reference.value_id
                  WHERE reference.reference_count > 0
                ) AS occurring_value
              ) AS placed_value
            ),
            class_start AS MATERIALIZED (
              SELECT
                class_id,
                class_size,
                CAST(SUM(class_size) OVER (ORDER BY class_id ASC) - class_size AS BIGINT) AS rows_before
              FROM sized_2
            ),
            class_sum AS MATERIALIZED (
              SELECT
                class_id,
                MIN(class_size) AS class_size,
                SUM(CASE WHEN was_ahead = is_ahead THEN 0 WHEN was_ahead THEN prefix_before ELSE -prefix_before END) AS prefixes,
                SUM((place - 1) * (CASE WHEN was_ahead THEN mass_before ELSE -mass_before END + CASE WHEN is_ahead THEN -mass ELSE mass END)) AS masses,
                LIST(mass_before) FILTER (WHERE is_parted) AS parted_masses
              FROM (
                SELECT
                  class_id,
                  class_size,
                  place,
                  prefix_before,
                  mass_before,
                  mass,
                  class_size * cumulative_before > owed_before AS was_ahead,
                  class_size * cumulative > CAST(reference_rows AS HUGEINT) * mass AS is_ahead,
                  mass_before > 0 AND class_size * cumulative_before > owed_before AND class_size * last_cumulative <= owed_before AS is_parted
                FROM (
                  SELECT
                    class_start.class_id,
                    CAST(class_start.class_size AS HUGEINT) AS class_size,
                    position.place,
                    position.prefix_before,
                    position.cumulative_before,
                    position.cumulative,
                    last_position.cumulative AS last_cumulative,
                    running_rows - class_start.rows_before - value_count AS mass_before,
                    running_rows - class_start.rows_before AS mass,
                    CAST(total.reference_rows AS HUGEINT) * (running_rows - class_start.rows_before - value_count) AS owed_before,
                    total.reference_rows
                  FROM (
                    SELECT
                      class_id,
                      value_id,
                      value_count,
                      CAST(SUM(value_count) OVER class_order AS BIGINT) AS running_rows,
                      LAG(value_id) OVER class_order AS last_value_id
                    FROM (
                      SELECT
                        CAST(histogram.class_id AS UINTEGER) AS class_id,
                        CAST(position.place AS UINTEGER) AS place,
                        histogram.value_id,
                        histogram.value_count
                      FROM histogram_2 AS histogram
                      JOIN position
                        ON histogram.value_id = position.value_id
                    ) AS placed_value
                    WINDOW class_order AS (ORDER BY class_id ASC, place ASC ROWS UNBOUNDED PRECEDING)
                  ) AS running_value
                  JOIN position
                    ON running_value.value_id = position.value_id
                  LEFT JOIN position AS last_position
                    ON running_value.last_value_id = last_position.value_id
                  JOIN class_start
                    ON running_value.class_id = class_start.class_id
                  CROSS JOIN total_1 AS total
                ) AS class_value
              ) AS class_value
              GROUP BY class_id
            ),
            parted AS (
              SELECT class_id, SUM(prefix) AS prefixes, SUM(mass * place) AS masses
              FROM (
                SELECT class_id, mass, MAX(place) OVER up_to AS place, MAX(prefix) OVER up_to AS prefix
                FROM (
                  SELECT
                    class_id,
                    mass,
                    CAST(total.reference_rows AS HUGEINT) * mass // class_size AS reached,
                    0 AS place,
                    0 AS prefix
                  FROM (SELECT class_id, class_size, UNNEST(parted_masses) AS mass FROM class_sum) AS gap
                  CROSS JOIN total_1 AS total
                  UNION ALL
                  SELECT NULL, NULL, cumulative, place, prefix_before + cumulative
                  FROM position
                ) AS gap_or_place
                WINDOW up_to AS (ORDER BY reached ASC)
              ) AS parted_gap
              WHERE class_id IS NOT NULL
              GROUP BY class_id
            )
            SELECT
              class_sum.class_id,
              class_sum.class_size,
              reference_rows,
              reference_values,
              reference_drift,
              vanishing_values,
              CAST(class_sum.class_size AS HUGEINT) * (2 * (class_sum.prefixes - COALESCE(parted.prefixes, 0)) - last_prefix)
                - CAST(reference_rows AS HUGEINT) * (class_sum.masses - 2 * COALESCE(parted.masses, 0) - CAST(last_place AS HUGEINT) * class_sum.class_size) AS work,
              GREATEST(CAST(last_place - 1 AS HUGEINT) * class_sum.class_size * reference_rows, 1) AS unit
            FROM class_sum
            LEFT JOIN parted
              ON class_sum.class_id = parted.class_id
            CROSS JOIN total_1 AS total
            CROSS JOIN (SELECT MAX(place) AS last_place, MAX(prefix_before + cumulative) AS last_prefix FROM position) AS last_position
          ) AS class_work
        ) AS class_distance
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
    ) AS judged
  ) AS verdict
  WHERE NOT fails
),
class_cell_2 AS MATERIALIZED (
  SELECT
    class.*,
    cell.v1,
    cell.v2,
    cell.row_count
  FROM class_cell_1 AS cell
  JOIN class_2 AS class
    ON cell.class_id = class.class_id
),
released_class AS MATERIALIZED (
  SELECT class.*
  FROM class
  JOIN (
    WITH
      histogram_1 AS MATERIALIZED (
        SELECT
          class_id,
          class_size,
          v2 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_2
        GROUP BY class_id, class_size, v2
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_2
      ),
      histogram_2 AS MATERIALIZED (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_2
        GROUP BY class_id, class_size, v1
      ),
      sized_2 AS (
        SELECT class_id, class_size
        FROM class_2
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM class_cell_2
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
        FROM histogram_2 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_1 AS total
      )
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 AS fails,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3, repair_4)) AS repair,
      figure_1,
      fails_1,
      figure_2,
      fails_2,
      figure_3,
      fails_3,
      figure_4,
      fails_4
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(2.999999699 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(0.000000001 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= CAST(0.2000000210000000111022313565 AS DOUBLE), FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4
      FROM class_2 AS class
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 3 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(DISTINCT group_id) = 1 AS fails,
          CASE WHEN COUNT(DISTINCT group_id) = 1 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM (
          SELECT
            histogram.class_id,
            histogram.class_size,
            value.id_1 AS group_id
          FROM histogram_1 AS histogram
          JOIN value_2 AS value
            ON histogram.value_id = value.id_0
        ) AS class_group
        GROUP BY class_id, class_size
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 5 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 5 - unit * 1) / (unit * 4)) AS repair
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
                value_id,
                place,
                cumulative - reference_count AS cumulative_before,
                cumulative,
                CAST(SUM(CAST(cumulative AS HUGEINT)) OVER (ORDER BY place ASC) - cumulative AS HUGEINT) AS prefix_before
              FROM (
                SELECT
                  value_id,
                  reference_count,
                  ROW_NUMBER() OVER (ORDER BY position ASC) AS place,
                  CAST(SUM(reference_count) OVER (ORDER BY position ASC) AS BIGINT) AS cumulative
                FROM (
                  SELECT
                    value.id_0 AS value_id,
                    value.position,
                    COALESCE(reference.reference_count, 0) AS reference_count
                  FROM value_1 AS value
                  LEFT JOIN reference_1 AS reference
                    ON value.id_0 = reference.value_id
                  WHERE reference.reference_count > 0
                ) AS occurring_value
              ) AS placed_value
            ),
            class_start AS MATERIALIZED (
              SELECT
                class_id,
                class_size,
                CAST(SUM(class_size) OVER (ORDER BY class_id ASC) - class_size AS BIGINT) AS rows_before
              FROM sized_2
            ),
            class_sum AS MATERIALIZED (
              SELECT
                class_id,
                MIN(class_size) AS class_size,
                SUM(CASE WHEN was_ahead = is_ahead THEN 0 WHEN was_ahead THEN prefix_before ELSE -prefix_before END) AS prefixes,
                SUM((place - 1) * (CASE WHEN was_ahead THEN mass_before ELSE -mass_before END + CASE WHEN is_ahead THEN -mass ELSE mass END)) AS masses,
                LIST(mass_before) FILTER (WHERE is_parted) AS parted_masses
              FROM (
                SELECT
                  class_id,
                  class_size,
                  place,
                  prefix_before,
                  mass_before,
                  mass,
                  class_size * cumulative_before > owed_before AS was_ahead,
                  class_size * cumulative > CAST(reference_rows AS HUGEINT) * mass AS is_ahead,
                  mass_before > 0 AND class_size * cumulative_before > owed_before AND class_size * last_cumulative <= owed_before AS is_parted
                FROM (
                  SELECT
                    class_start.class_id,
                    CAST(class_start.class_size AS HUGEINT) AS class_size,
                    position.place,
                    position.prefix_before,
                    position.cumulative_before,
                    position.cumulative,
                    last_position.cumulative AS last_cumulative,
                    running_rows - class_start.rows_before - value_count AS mass_before,
                    running_rows - class_start.rows_before AS mass,
                    CAST(total.reference_rows AS HUGEINT) * (running_rows - class_start.rows_before - value_count) AS owed_before,
                    total.reference_rows
                  FROM (
                    SELECT
                      class_id,
                      value_id,
                      value_count,
                      CAST(SUM(value_count) OVER class_order AS BIGINT) AS running_rows,
                      LAG(value_id) OVER class_order AS last_value_id
                    FROM (
                      SELECT
                        CAST(histogram.class_id AS UINTEGER) AS class_id,
                        CAST(position.place AS UINTEGER) AS place,
                        histogram.value_id,
                        histogram.value_count
                      FROM histogram_2 AS histogram
                      JOIN position
                        ON histogram.value_id = position.value_id
                    ) AS placed_value
                    WINDOW class_order AS (ORDER BY class_id ASC, place ASC ROWS UNBOUNDED PRECEDING)
                  ) AS running_value
                  JOIN position
                    ON running_value.value_id = position.value_id
                  LEFT JOIN position AS last_position
                    ON running_value.last_value_id = last_position.value_id
                  JOIN class_start
                    ON running_value.class_id = class_start.class_id
                  CROSS JOIN total_1 AS total
                ) AS class_value
              ) AS class_value
              GROUP BY class_id
            ),
            parted AS (
              SELECT class_id, SUM(prefix) AS prefixes, SUM(mass * place) AS masses
              FROM (
                SELECT class_id, mass, MAX(place) OVER up_to AS place, MAX(prefix) OVER up_to AS prefix
                FROM (
                  SELECT
                    class_id,
                    mass,
                    CAST(total.reference_rows AS HUGEINT) * mass // class_size AS reached,
                    0 AS place,
                    0 AS prefix
                  FROM (SELECT class_id, class_size, UNNEST(parted_masses) AS mass FROM class_sum) AS gap
                  CROSS JOIN total_1 AS total
                  UNION ALL
                  SELECT NULL, NULL, cumulative, place, prefix_before + cumulative
                  FROM position
                ) AS gap_or_place
                WINDOW up_to AS (ORDER BY reached ASC)
              ) AS parted_gap
              WHERE class_id IS NOT NULL
              GROUP BY class_id
            )
            SELECT
              class_sum.class_id,
              class_sum.class_size,
              reference_rows,
              reference_values,
              reference_drift,
              vanishing_values,
              CAST(class_sum.class_size AS HUGEINT) * (2 * (class_sum.prefixes - COALESCE(parted.prefixes, 0)) - last_prefix)
                - CAST(reference_rows AS HUGEINT) * (class_sum.masses - 2 * COALESCE(parted.masses, 0) - CAST(last_place AS HUGEINT) * class_sum.class_size) AS work,
              GREATEST(CAST(last_place - 1 AS HUGEINT) * class_sum.class_size * reference_rows, 1) AS unit
            FROM class_sum
            LEFT JOIN parted
              ON class_sum.class_id = parted.class_id
            CROSS JOIN total_1 AS total
            CROSS JOIN (SELECT MAX(place) AS last_place, MAX(prefix_before + cumulative) AS last_prefix FROM position) AS last_position
          ) AS class_work
        ) AS class_distance
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
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
    sized_cell.kept_1 AS "salary",
    sized_cell.kept_2 AS "disease",
    sized_cell.row_count AS "copies"
  FROM sized_cell
  JOIN (SELECT DISTINCT id, label FROM temp.main."sqlgen_lookup_1") AS named_q1
    ON sized_cell.q1 = named_q1.id
  JOIN (SELECT DISTINCT id, label FROM temp.main."sqlgen_lookup_2") AS named_q2
    ON sized_cell.q2 = named_q2.id
  WHERE NOT (FALSE)
  ORDER BY sized_cell.q1 ASC NULLS FIRST, sized_cell.q2 ASC NULLS FIRST, sized_cell.kept_1 ASC NULLS FIRST, sized_cell.kept_2 ASC NULLS FIRST
)
SELECT
  "zip",
  "age",
  "salary",
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
  (SELECT COUNT(*) FROM "clinic"."main"."salaries") AS source_rows,
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
            WHEN label_2 IS NULL THEN 2
            WHEN NOT is_listed THEN 3
          END AS missing_level
        FROM (
          SELECT
            COALESCE(value_count.value, leaf.value) AS value,
            COALESCE(value_count.row_count, 0) AS row_count,
            leaf.value IS NOT NULL AS is_listed,
            leaf.label_1,
            leaf.label_2
          FROM (
            SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
            FROM "clinic"."main"."salaries" AS source
            GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
          ) AS value_count
          FULL JOIN (
            SELECT DISTINCT
              TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
              CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
              CAST(field_2 AS VARCHAR) COLLATE C AS label_2
            FROM (VALUES
              ('flu', 'respiratory infection', 'respiratory system diseases', '*'),
              ('pneumonia', 'respiratory infection', 'respiratory system diseases', '*'),
              ('bronchitis', 'respiratory infection', 'respiratory system diseases', '*'),
              ('gastric ulcer', 'stomach disease', 'digestive system diseases', '*'),
              ('stomach cancer', 'stomach disease', 'digestive system diseases', '*'),
              ('gastritis', 'stomach disease', 'digestive system diseases', '*')
            ) AS line (field_0, field_1, field_2, field_3)
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
              END) COLLATE C AS final_1,
          (CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_2
              END) COLLATE C AS final_2
        FROM labelled
      )
      SELECT
        value,
        row_count,
        missing_level,
        is_kept,
        CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
        CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1,
        CAST(DENSE_RANK() OVER (ORDER BY final_2 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_2
      FROM leaf
    ) AS value WHERE missing_level IS NOT NULL)
    + (SELECT COUNT(*) FROM (
      WITH labelled AS (
        SELECT
          *,
          CASE
            WHEN value IS NULL THEN NULL
          END AS missing_level
        FROM (
          SELECT
            value,
            row_count
          FROM (
            SELECT "source"."salary" AS value, COUNT(*) AS row_count
            FROM "clinic"."main"."salaries" AS source
            GROUP BY "source"."salary"
          ) AS value_count
        ) AS labels
      ),
      leaf AS (
        SELECT
          value,
          row_count,
          missing_level,
          TRUE AS is_kept,
          value AS final_0
        FROM labelled
      )
      SELECT
        value,
        row_count,
        missing_level,
        is_kept,
        CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
        ROW_NUMBER() OVER (ORDER BY value ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
      FROM leaf
    ) AS value WHERE value IS NOT NULL AND (value) IS NULL)
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
            WHEN label_2 IS NULL THEN 2
            WHEN NOT is_listed THEN 3
          END AS missing_level
        FROM (
          SELECT
            COALESCE(value_count.value, leaf.value) AS value,
            COALESCE(value_count.row_count, 0) AS row_count,
            leaf.value IS NOT NULL AS is_listed,
            leaf.label_1,
            leaf.label_2
          FROM (
            SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
            FROM "clinic"."main"."salaries" AS source
            GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
          ) AS value_count
          FULL JOIN (
            SELECT DISTINCT
              TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
              CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
              CAST(field_2 AS VARCHAR) COLLATE C AS label_2
            FROM (VALUES
              ('flu', 'respiratory infection', 'respiratory system diseases', '*'),
              ('pneumonia', 'respiratory infection', 'respiratory system diseases', '*'),
              ('bronchitis', 'respiratory infection', 'respiratory system diseases', '*'),
              ('gastric ulcer', 'stomach disease', 'digestive system diseases', '*'),
              ('stomach cancer', 'stomach disease', 'digestive system diseases', '*'),
              ('gastritis', 'stomach disease', 'digestive system diseases', '*')
            ) AS line (field_0, field_1, field_2, field_3)
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
              END) COLLATE C AS final_1,
          (CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_2
              END) COLLATE C AS final_2
        FROM labelled
      )
      SELECT
        value,
        row_count,
        missing_level,
        is_kept,
        CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
        CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1,
        CAST(DENSE_RANK() OVER (ORDER BY final_2 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_2
      FROM leaf
    ) AS value)
  ) AS repeated_values,
  0 AS uncounted_rows,
  0 AS empty_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'salaries_anon') AS release_object
FROM (
  WITH
  cell AS MATERIALIZED (
    SELECT
      CAST("audited"."zip" AS VARCHAR) COLLATE C AS q1,
      CAST("audited"."age" AS VARCHAR) COLLATE C AS q2,
      "audited"."salary" AS s1,
      CAST("audited"."disease" AS VARCHAR) COLLATE C AS s2,
      COUNT(*) AS row_count
    FROM "clinic"."main"."salaries_anon" AS audited
    GROUP BY CAST("audited"."zip" AS VARCHAR) COLLATE C, CAST("audited"."age" AS VARCHAR) COLLATE C, "audited"."salary", CAST("audited"."disease" AS VARCHAR) COLLATE C
  ),
  value_1 AS MATERIALIZED (
    WITH labelled AS (
      SELECT
        *,
        CASE
          WHEN value IS NULL THEN NULL
        END AS missing_level
      FROM (
        SELECT
          value,
          row_count
        FROM (
          SELECT "source"."salary" AS value, COUNT(*) AS row_count
          FROM (SELECT s1 AS "salary" FROM cell) AS source
          GROUP BY "source"."salary"
        ) AS value_count
      ) AS labels
    ),
    leaf AS (
      SELECT
        value,
        row_count,
        missing_level,
        TRUE AS is_kept,
        value AS final_0
      FROM labelled
    )
    SELECT
      value,
      row_count,
      missing_level,
      is_kept,
      CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
      ROW_NUMBER() OVER (ORDER BY value ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
    FROM leaf
  ),
  value_2 AS MATERIALIZED (
    WITH labelled AS (
      SELECT
        *,
        CASE
          WHEN value IS NULL THEN NULL
          WHEN label_1 IS NULL THEN 1
          WHEN label_2 IS NULL THEN 2
          WHEN NOT is_listed THEN 3
        END AS missing_level
      FROM (
        SELECT
          COALESCE(value_count.value, leaf.value) AS value,
          COALESCE(value_count.row_count, 0) AS row_count,
          leaf.value IS NOT NULL AS is_listed,
          leaf.label_1,
          leaf.label_2
        FROM (
          SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
          FROM (SELECT s2 AS "disease" FROM cell) AS source
          GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
        ) AS value_count
        FULL JOIN (
          SELECT DISTINCT
            TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
            CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
            CAST(field_2 AS VARCHAR) COLLATE C AS label_2
          FROM (VALUES
            ('flu', 'respiratory infection', 'respiratory system diseases', '*'),
            ('pneumonia', 'respiratory infection', 'respiratory system diseases', '*'),
            ('bronchitis', 'respiratory infection', 'respiratory system diseases', '*'),
            ('gastric ulcer', 'stomach disease', 'digestive system diseases', '*'),
            ('stomach cancer', 'stomach disease', 'digestive system diseases', '*'),
            ('gastritis', 'stomach disease', 'digestive system diseases', '*')
          ) AS line (field_0, field_1, field_2, field_3)
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
            END) COLLATE C AS final_1,
        (CASE
              WHEN value IS NULL THEN NULL
              WHEN missing_level IS NOT NULL THEN NULL
              ELSE label_2
            END) COLLATE C AS final_2
      FROM labelled
    )
    SELECT
      value,
      row_count,
      missing_level,
      is_kept,
      CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
      CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1,
      CAST(DENSE_RANK() OVER (ORDER BY final_2 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_2
    FROM leaf
  ),
  valued_cell AS (
    SELECT
      cell.*,
      value_1.id_0 AS v1,
      value_2.id_0 AS v2
    FROM cell AS cell
    JOIN value_1
      ON cell.s1 IS NOT DISTINCT FROM value_1.value
    JOIN value_2
      ON cell.s2 IS NOT DISTINCT FROM value_2.value
  ),
  counted AS MATERIALIZED (
    SELECT
      q1 AS key_1,
      q2 AS key_2,
      v1,
      v2,
      CAST(SUM(row_count) AS BIGINT) AS row_count
    FROM valued_cell AS cell
    GROUP BY q1, q2, v1, v2
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
      counted.v1,
      counted.v2,
      counted.row_count
    FROM counted
    JOIN class
      ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2
    WHERE NOT (FALSE)
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
    COALESCE(SUM(figure_3)::BIGINT, 0) AS measured_3,
    COUNT(*) FILTER (WHERE fails_3) AS failing_classes_3,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_3), 0) AS BIGINT) AS failing_rows_3,
    QUANTILE_DISC(figure_3, [0, 0.25, 0.5, 0.75, 1]) AS figures_3,
    COALESCE(MAX(figure_4), 0) AS measured_4,
    COUNT(*) FILTER (WHERE fails_4) AS failing_classes_4,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_4), 0) AS BIGINT) AS failing_rows_4,
    QUANTILE_DISC(figure_4, [0, 0.25, 0.5, 0.75, 1]) AS figures_4
  FROM (
    WITH
      histogram_1 AS MATERIALIZED (
        SELECT
          class_id,
          class_size,
          v2 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_0
        GROUP BY class_id, class_size, v2
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_0
      ),
      histogram_2 AS MATERIALIZED (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_0
        GROUP BY class_id, class_size, v1
      ),
      sized_2 AS (
        SELECT class_id, class_size
        FROM class_0
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM class_cell_0
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
        FROM histogram_2 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_1 AS total
      )
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 AS fails,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3, repair_4)) AS repair,
      figure_1,
      fails_1,
      figure_2,
      fails_2,
      figure_3,
      fails_3,
      figure_4,
      fails_4
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(2.999999699 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(0.000000001 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= CAST(0.2000000210000000111022313565 AS DOUBLE), FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 3 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(DISTINCT group_id) = 1 AS fails,
          CASE WHEN COUNT(DISTINCT group_id) = 1 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM (
          SELECT
            histogram.class_id,
            histogram.class_size,
            value.id_1 AS group_id
          FROM histogram_1 AS histogram
          JOIN value_2 AS value
            ON histogram.value_id = value.id_0
        ) AS class_group
        GROUP BY class_id, class_size
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 5 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 5 - unit * 1) / (unit * 4)) AS repair
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
                value_id,
                place,
                cumulative - reference_count AS cumulative_before,
                cumulative,
                CAST(SUM(CAST(cumulative AS HUGEINT)) OVER (ORDER BY place ASC) - cumulative AS HUGEINT) AS prefix_before
              FROM (
                SELECT
                  value_id,
                  reference_count,
                  ROW_NUMBER() OVER (ORDER BY position ASC) AS place,
                  CAST(SUM(reference_count) OVER (ORDER BY position ASC) AS BIGINT) AS cumulative
                FROM (
                  SELECT
                    value.id_0 AS value_id,
                    value.position,
                    COALESCE(reference.reference_count, 0) AS reference_count
                  FROM value_1 AS value
                  LEFT JOIN reference_1 AS reference
                    ON value.id_0 = reference.value_id
                  WHERE reference.reference_count > 0
                ) AS occurring_value
              ) AS placed_value
            ),
            class_start AS MATERIALIZED (
              SELECT
                class_id,
                class_size,
                CAST(SUM(class_size) OVER (ORDER BY class_id ASC) - class_size AS BIGINT) AS rows_before
              FROM sized_2
            ),
            class_sum AS MATERIALIZED (
              SELECT
                class_id,
                MIN(class_size) AS class_size,
                SUM(CASE WHEN was_ahead = is_ahead THEN 0 WHEN was_ahead THEN prefix_before ELSE -prefix_before END) AS prefixes,
                SUM((place - 1) * (CASE WHEN was_ahead THEN mass_before ELSE -mass_before END + CASE WHEN is_ahead THEN -mass ELSE mass END)) AS masses,
                LIST(mass_before) FILTER (WHERE is_parted) AS parted_masses
              FROM (
                SELECT
                  class_id,
                  class_size,
                  place,
                  prefix_before,
                  mass_before,
                  mass,
                  class_size * cumulative_before > owed_before AS was_ahead,
                  class_size * cumulative > CAST(reference_rows AS HUGEINT) * mass AS is_ahead,
                  mass_before > 0 AND class_size * cumulative_before > owed_before AND class_size * last_cumulative <= owed_before AS is_parted
                FROM (
                  SELECT
                    class_start.class_id,
                    CAST(class_start.class_size AS HUGEINT) AS class_size,
                    position.place,
                    position.prefix_before,
                    position.cumulative_before,
                    position.cumulative,
                    last_position.cumulative AS last_cumulative,
                    running_rows - class_start.rows_before - value_count AS mass_before,
                    running_rows - class_start.rows_before AS mass,
                    CAST(total.reference_rows AS HUGEINT) * (running_rows - class_start.rows_before - value_count) AS owed_before,
                    total.reference_rows
                  FROM (
                    SELECT
                      class_id,
                      value_id,
                      value_count,
                      CAST(SUM(value_count) OVER class_order AS BIGINT) AS running_rows,
                      LAG(value_id) OVER class_order AS last_value_id
                    FROM (
                      SELECT
                        CAST(histogram.class_id AS UINTEGER) AS class_id,
                        CAST(position.place AS UINTEGER) AS place,
                        histogram.value_id,
                        histogram.value_count
                      FROM histogram_2 AS histogram
                      JOIN position
                        ON histogram.value_id = position.value_id
                    ) AS placed_value
                    WINDOW class_order AS (ORDER BY class_id ASC, place ASC ROWS UNBOUNDED PRECEDING)
                  ) AS running_value
                  JOIN position
                    ON running_value.value_id = position.value_id
                  LEFT JOIN position AS last_position
                    ON running_value.last_value_id = last_position.value_id
                  JOIN class_start
                    ON running_value.class_id = class_start.class_id
                  CROSS JOIN total_1 AS total
                ) AS class_value
              ) AS class_value
              GROUP BY class_id
            ),
            parted AS (
              SELECT class_id, SUM(prefix) AS prefixes, SUM(mass * place) AS masses
              FROM (
                SELECT class_id, mass, MAX(place) OVER up_to AS place, MAX(prefix) OVER up_to AS prefix
                FROM (
                  SELECT
                    class_id,
                    mass,
                    CAST(total.reference_rows AS HUGEINT) * mass // class_size AS reached,
                    0 AS place,
                    0 AS prefix
                  FROM (SELECT class_id, class_size, UNNEST(parted_masses) AS mass FROM class_sum) AS gap
                  CROSS JOIN total_1 AS total
                  UNION ALL
                  SELECT NULL, NULL, cumulative, place, prefix_before + cumulative
                  FROM position
                ) AS gap_or_place
                WINDOW up_to AS (ORDER BY reached ASC)
              ) AS parted_gap
              WHERE class_id IS NOT NULL
              GROUP BY class_id
            )
            SELECT
              class_sum.class_id,
              class_sum.class_size,
              reference_rows,
              reference_values,
              reference_drift,
              vanishing_values,
              CAST(class_sum.class_size AS HUGEINT) * (2 * (class_sum.prefixes - COALESCE(parted.prefixes, 0)) - last_prefix)
                - CAST(reference_rows AS HUGEINT) * (class_sum.masses - 2 * COALESCE(parted.masses, 0) - CAST(last_place AS HUGEINT) * class_sum.class_size) AS work,
              GREATEST(CAST(last_place - 1 AS HUGEINT) * class_sum.class_size * reference_rows, 1) AS unit
            FROM class_sum
            LEFT JOIN parted
              ON class_sum.class_id = parted.class_id
            CROSS JOIN total_1 AS total
            CROSS JOIN (SELECT MAX(place) AS last_place, MAX(prefix_before + cumulative) AS last_prefix FROM position) AS last_position
          ) AS class_work
        ) AS class_distance
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
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
    WHEN NOT COALESCE(class_count > 0 AND failing_classes_1 = 0 AND failing_rows_1 = 0 AND failing_classes_2 = 0 AND failing_rows_2 = 0 AND failing_classes_3 = 0 AND failing_rows_3 = 0 AND failing_classes_4 = 0 AND failing_rows_4 = 0 AND measured_3 * 1 <= 0, FALSE)
      THEN system.main.error('the release does not give what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_1 BETWEEN CAST(2.999999699 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_2 BETWEEN CAST(2.999999699 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_3 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.000000001 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_4 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.2000000210000000111022313565 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
  END AS gate
FROM temp.main."sqlgen_audit";

-- rows that are unique by a column beside the quasi-identifiers
SELECT
  'salary' AS column_name,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE shown IS NOT NULL), 0) AS BIGINT) AS valued_rows,
  COUNT(shown) AS distinct_values,
  COUNT(shown) FILTER (WHERE row_count = 1) AS unique_rows
FROM (
  SELECT "audited"."salary" AS shown, COUNT(*) AS row_count
  FROM "clinic"."main"."salaries_anon" AS audited
  GROUP BY "audited"."salary"
) AS valued
UNION ALL
SELECT
  'disease' AS column_name,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE shown IS NOT NULL), 0) AS BIGINT) AS valued_rows,
  COUNT(shown) AS distinct_values,
  COUNT(shown) FILTER (WHERE row_count = 1) AS unique_rows
FROM (
  SELECT CAST("audited"."disease" AS VARCHAR) COLLATE C AS shown, COUNT(*) AS row_count
  FROM "clinic"."main"."salaries_anon" AS audited
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
      SELECT '{"zip": ' || CAST(COUNT(*) - COUNT("source"."zip") AS VARCHAR)
        || ', "age": ' || CAST(COUNT(*) - COUNT("source"."age") AS VARCHAR)
        || ', "salary": ' || CAST(COUNT(*) - COUNT("source"."salary") AS VARCHAR)
        || ', "disease": ' || CAST(COUNT(*) - COUNT("source"."disease") AS VARCHAR)
        || '}'
      FROM "clinic"."main"."salaries" AS source
    ) AS null_rows,
    '[{"name": "k_anonymity", "parameters": {"k": 3}, "measured": ' || CASE
      WHEN measured_1 IS NULL THEN 'null'
      WHEN measured_1 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_1 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "distinct_l_diversity", "parameters": {"column": "disease", "l": 3}, "measured": ' || CASE
      WHEN measured_2 IS NULL THEN 'null'
      WHEN measured_2 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_2 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "similarity", "parameters": {"column": "disease", "at_most": "0", "level": 1}, "measured": ' || CASE
      WHEN measured_3 IS NULL THEN 'null'
      WHEN measured_3 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_3 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "t_closeness", "parameters": {"column": "salary", "t": "0.2", "distance": "ordered", "reference": "released"}, "measured": ' || CASE
      WHEN measured_4 IS NULL THEN 'null'
      WHEN measured_4 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_4 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ']' AS guarantees,
    NULL AS settled_rows,
    VERSION() AS engine_version,
    'salaries.yml' AS policy,
    '.' AS folder,
    'sha256:a73418c7e0afccbc2e26b9a612064848' AS policy_fingerprint,
    '<lock>' AS lock_fingerprint,
    'salaries' AS source,
    'sha256:dffc1567020918caf252719b44dd4ae4' AS source_fingerprint,
    'full_domain' AS recoding,
    '{"levels": {"age": 1, "zip": 1}}' AS decision,
    '{"salary": 0, "disease": 0}' AS sensitive_levels,
    '{"zip": "sha256:ec564e0e3d56a9c7db9da41cb82215a5", "disease": "sha256:60b4a52547d7f5165f36d0426b40bff2"}' AS hierarchies,
    'table' AS target_kind,
    'salaries_anon' AS target,
    '"main"."salaries_anon"' AS place,
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
  (SELECT COUNT(*) FROM "clinic"."main"."salaries_anon") AS release_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'salaries_anon') AS release_object;
