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
      AND system.main.lower(function_name) IN ('%', '*', '+', '-', '/', '//', 'array_extract', 'array_slice', 'bool_and', 'ceil', 'count', 'count_star', 'dense_rank', 'duckdb_tables', 'element_at', 'error', 'get_current_timestamp', 'greatest', 'lag', 'least', 'length', 'list', 'list_extract', 'list_slice', 'list_sort', 'list_value', 'map_extract', 'map_extract_value', 'max', 'min', 'now', 'quantile_disc', 'repeat', 'row', 'row_number', 'struct_extract', 'substring', 'sum', 'timezone', 'translate', 'unnest', 'version', '||')
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

DROP TABLE IF EXISTS temp.main."sqlgen_coarse";

-- stop here, and undo, where something else has the name
SELECT CASE WHEN COUNT(*) > 0 THEN system.main.error('something has the name of the release; nothing was changed') END AS guard
FROM information_schema.tables
WHERE TRANSLATE(table_catalog, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic'
  AND TRANSLATE(table_schema, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main'
  AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released';

-- the source's rows, with labels for some sensitive values
CREATE TEMPORARY TABLE temp.main."sqlgen_coarse" AS
SELECT *
FROM (
  SELECT
    source."name" AS "name",
    source."zip" AS "zip",
    source."age" AS "age",
    coarse_1.label AS "disease",
    source."visits" AS "visits",
    source."seen" AS "seen",
    source."called" AS "called",
    source."weight" AS "weight"
  FROM "clinic"."main"."patients" AS source
  LEFT JOIN (
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
            FROM "clinic"."main"."patients" AS source
            GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
          ) AS value_count
          FULL JOIN (
            SELECT DISTINCT
              TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
              CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
              CAST(field_2 AS VARCHAR) COLLATE C AS label_2
            FROM (VALUES
              ('flu', 'acute', 'ill', '*'),
              ('ulcer', 'chronic', 'ill', '*'),
              ('gout', 'chronic', 'ill', '*')
            ) AS line (field_0, field_1, field_2, field_3)
            WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
          ) AS leaf
            ON value_count.value = leaf.value
        ) AS labels
    )
    SELECT value, CAST((CASE
        WHEN value IS NULL THEN NULL
        WHEN missing_level IS NOT NULL THEN NULL
        ELSE label_1
      END) COLLATE C AS VARCHAR) AS label
    FROM labelled
    WHERE row_count > 0
  ) AS coarse_1
    ON CAST("source"."disease" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM coarse_1.value
) AS query;

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
      FROM temp.main."sqlgen_coarse" AS source
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
      FROM temp.main."sqlgen_coarse" AS source
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
WITH labelled_row AS MATERIALIZED (
  SELECT
    q1.id AS q1,
    q1.label AS label_1,
    q2.id AS q2,
    q2.label AS label_2,
    CAST("source"."disease" AS VARCHAR) COLLATE C AS kept_1,
    "source"."visits" AS kept_2,
1 AS class_size
  FROM temp.main."sqlgen_coarse" AS source
  JOIN temp.main."sqlgen_lookup_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_lookup_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
),
cell AS MATERIALIZED (
  SELECT
    q1,
    q2,
    kept_1,
    COUNT(*) AS row_count
  FROM labelled_row
  GROUP BY q1, q2, kept_1
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
        FROM (SELECT kept_1 AS "disease" FROM cell) AS source
        GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
      ) AS value_count
      FULL JOIN (
        SELECT DISTINCT
          TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
          CAST(field_1 AS VARCHAR) COLLATE C AS label_1
        FROM (
    SELECT DISTINCT
      (CASE
            WHEN value IS NULL THEN NULL
            WHEN missing_level IS NOT NULL THEN NULL
            ELSE label_1
          END) COLLATE C AS field_1,
      (CASE
            WHEN value IS NULL THEN NULL
            WHEN missing_level IS NOT NULL THEN NULL
            ELSE label_2
          END) COLLATE C AS field_2
    FROM (
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
            FROM (SELECT CAST(NULL AS VARCHAR) AS "disease" WHERE FALSE) AS source
            GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
          ) AS value_count
          FULL JOIN (
            SELECT DISTINCT
              TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
              CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
              CAST(field_2 AS VARCHAR) COLLATE C AS label_2
            FROM (VALUES
              ('flu', 'acute', 'ill', '*'),
              ('ulcer', 'chronic', 'ill', '*'),
              ('gout', 'chronic', 'ill', '*')
            ) AS line (field_0, field_1, field_2, field_3)
            WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
          ) AS leaf
            ON value_count.value = leaf.value
        ) AS labels
    ) AS labelled
    WHERE (CASE
        WHEN value IS NULL THEN NULL
        WHEN missing_level IS NOT NULL THEN NULL
        ELSE label_1
      END) COLLATE C IS NOT NULL
  ) AS line (field_0, field_1)
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
    ROW_NUMBER() OVER (ORDER BY CAST(value AS VARCHAR) COLLATE C ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
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
      fails_1 OR fails_2 OR fails_3 AS fails,
      is_masked,
      was_empty,
      fails_1 AS drops,
      is_masked OR fails_2 OR fails_3 AS masks_sensitive,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3)) AS repair,
      figure_1,
      fails_1,
      figure_2,
      fails_2,
      figure_3,
      fails_3
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
        CASE WHEN verdict_2.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(0.2000000210000000111022313565 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_3.figure <= 1.7976931348623157e308, FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3
      FROM class_0 AS class
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
              FROM sized_1
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
                      FROM histogram_1 AS histogram
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
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 2 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
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
      fails_1 OR fails_2 OR fails_3 AS fails,
      is_masked,
      was_empty,
      fails_1 AS drops,
      is_masked OR fails_2 OR fails_3 AS masks_sensitive,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3)) AS repair,
      figure_1,
      fails_1,
      figure_2,
      fails_2,
      figure_3,
      fails_3
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
        CASE WHEN verdict_2.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(0.2000000210000000111022313565 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_3.figure <= 1.7976931348623157e308, FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3
      FROM class_1 AS class
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
              FROM sized_1
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
                      FROM histogram_1 AS histogram
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
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 2 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
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
      fails_1 OR fails_2 OR fails_3 AS fails,
      is_masked,
      was_empty,
      fails_1 AS drops,
      is_masked OR fails_2 OR fails_3 AS masks_sensitive,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3)) AS repair,
      figure_1,
      fails_1,
      figure_2,
      fails_2,
      figure_3,
      fails_3
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
        CASE WHEN verdict_2.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(0.2000000210000000111022313565 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_3.figure <= 1.7976931348623157e308, FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3
      FROM class_2 AS class
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
              FROM sized_1
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
                      FROM histogram_1 AS histogram
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
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 2 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
    ) AS judged
  ) AS verdict
    ON class.class_id = verdict.class_id
  WHERE NOT verdict.drops
),
sized_row AS (
  SELECT
    labelled_row.q1,
    labelled_row.label_1,
    labelled_row.q2,
    labelled_row.label_2,
    labelled_row.kept_2,
    labelled_row.class_size,
    CASE WHEN NOT released_class.masks_sensitive THEN labelled_row.kept_1 END AS kept_1
  FROM labelled_row
  JOIN released_class
    ON labelled_row.q1 = released_class.key_1 AND labelled_row.q2 = released_class.key_2
)
SELECT
  sized_row.label_1 AS "zip",
  sized_row.label_2 AS "age",
  sized_row.kept_1 AS "disease",
  sized_row.kept_2 AS "visits"
FROM sized_row
WHERE NOT (FALSE)
ORDER BY sized_row.q1 ASC NULLS FIRST, sized_row.q2 ASC NULLS FIRST, sized_row.kept_1 ASC NULLS FIRST, sized_row.kept_2 ASC NULLS FIRST;

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
  (SELECT COUNT(*) FROM temp.main."sqlgen_coarse") AS source_rows,
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
            FROM "clinic"."main"."patients" AS source
            GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
          ) AS value_count
          FULL JOIN (
            SELECT DISTINCT
              TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
              CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
              CAST(field_2 AS VARCHAR) COLLATE C AS label_2
            FROM (VALUES
              ('flu', 'acute', 'ill', '*'),
              ('ulcer', 'chronic', 'ill', '*'),
              ('gout', 'chronic', 'ill', '*')
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
            FROM temp.main."sqlgen_coarse" AS source
            GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
          ) AS value_count
          FULL JOIN (
            SELECT DISTINCT
              TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
              CAST(field_1 AS VARCHAR) COLLATE C AS label_1
            FROM (
        SELECT DISTINCT
          (CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_1
              END) COLLATE C AS field_1,
          (CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_2
              END) COLLATE C AS field_2
        FROM (
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
                FROM (SELECT CAST(NULL AS VARCHAR) AS "disease" WHERE FALSE) AS source
                GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
              ) AS value_count
              FULL JOIN (
                SELECT DISTINCT
                  TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
                  CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
                  CAST(field_2 AS VARCHAR) COLLATE C AS label_2
                FROM (VALUES
                  ('flu', 'acute', 'ill', '*'),
                  ('ulcer', 'chronic', 'ill', '*'),
                  ('gout', 'chronic', 'ill', '*')
                ) AS line (field_0, field_1, field_2, field_3)
                WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
              ) AS leaf
                ON value_count.value = leaf.value
            ) AS labels
        ) AS labelled
        WHERE (CASE
            WHEN value IS NULL THEN NULL
            WHEN missing_level IS NOT NULL THEN NULL
            ELSE label_1
          END) COLLATE C IS NOT NULL
      ) AS line (field_0, field_1)
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
        ROW_NUMBER() OVER (ORDER BY CAST(value AS VARCHAR) COLLATE C ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
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
            FROM temp.main."sqlgen_coarse" AS source
            GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
          ) AS value_count
          FULL JOIN (
            SELECT DISTINCT
              TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
              CAST(field_1 AS VARCHAR) COLLATE C AS label_1
            FROM (
        SELECT DISTINCT
          (CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_1
              END) COLLATE C AS field_1,
          (CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_2
              END) COLLATE C AS field_2
        FROM (
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
                FROM (SELECT CAST(NULL AS VARCHAR) AS "disease" WHERE FALSE) AS source
                GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
              ) AS value_count
              FULL JOIN (
                SELECT DISTINCT
                  TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
                  CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
                  CAST(field_2 AS VARCHAR) COLLATE C AS label_2
                FROM (VALUES
                  ('flu', 'acute', 'ill', '*'),
                  ('ulcer', 'chronic', 'ill', '*'),
                  ('gout', 'chronic', 'ill', '*')
                ) AS line (field_0, field_1, field_2, field_3)
                WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
              ) AS leaf
                ON value_count.value = leaf.value
            ) AS labels
        ) AS labelled
        WHERE (CASE
            WHEN value IS NULL THEN NULL
            WHEN missing_level IS NOT NULL THEN NULL
            ELSE label_1
          END) COLLATE C IS NOT NULL
      ) AS line (field_0, field_1)
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
        ROW_NUMBER() OVER (ORDER BY CAST(value AS VARCHAR) COLLATE C ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
      FROM leaf
    ) AS value WHERE value IS NOT NULL AND (CAST(value AS VARCHAR) COLLATE C) IS NULL)
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
            FROM "clinic"."main"."patients" AS source
            GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
          ) AS value_count
          FULL JOIN (
            SELECT DISTINCT
              TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
              CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
              CAST(field_2 AS VARCHAR) COLLATE C AS label_2
            FROM (VALUES
              ('flu', 'acute', 'ill', '*'),
              ('ulcer', 'chronic', 'ill', '*'),
              ('gout', 'chronic', 'ill', '*')
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
            FROM temp.main."sqlgen_coarse" AS source
            GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
          ) AS value_count
          FULL JOIN (
            SELECT DISTINCT
              TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
              CAST(field_1 AS VARCHAR) COLLATE C AS label_1
            FROM (
        SELECT DISTINCT
          (CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_1
              END) COLLATE C AS field_1,
          (CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_2
              END) COLLATE C AS field_2
        FROM (
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
                FROM (SELECT CAST(NULL AS VARCHAR) AS "disease" WHERE FALSE) AS source
                GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
              ) AS value_count
              FULL JOIN (
                SELECT DISTINCT
                  TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
                  CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
                  CAST(field_2 AS VARCHAR) COLLATE C AS label_2
                FROM (VALUES
                  ('flu', 'acute', 'ill', '*'),
                  ('ulcer', 'chronic', 'ill', '*'),
                  ('gout', 'chronic', 'ill', '*')
                ) AS line (field_0, field_1, field_2, field_3)
                WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
              ) AS leaf
                ON value_count.value = leaf.value
            ) AS labels
        ) AS labelled
        WHERE (CASE
            WHEN value IS NULL THEN NULL
            WHEN missing_level IS NOT NULL THEN NULL
            ELSE label_1
          END) COLLATE C IS NOT NULL
      ) AS line (field_0, field_1)
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
        ROW_NUMBER() OVER (ORDER BY CAST(value AS VARCHAR) COLLATE C ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
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
          FROM temp.main."sqlgen_coarse" AS source
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
          FROM (SELECT s1 AS "disease" FROM cell) AS source
          GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
        ) AS value_count
        FULL JOIN (
          SELECT DISTINCT
            TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
            CAST(field_1 AS VARCHAR) COLLATE C AS label_1
          FROM (
      SELECT DISTINCT
        (CASE
              WHEN value IS NULL THEN NULL
              WHEN missing_level IS NOT NULL THEN NULL
              ELSE label_1
            END) COLLATE C AS field_1,
        (CASE
              WHEN value IS NULL THEN NULL
              WHEN missing_level IS NOT NULL THEN NULL
              ELSE label_2
            END) COLLATE C AS field_2
      FROM (
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
              FROM (SELECT CAST(NULL AS VARCHAR) AS "disease" WHERE FALSE) AS source
              GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
            ) AS value_count
            FULL JOIN (
              SELECT DISTINCT
                TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
                CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
                CAST(field_2 AS VARCHAR) COLLATE C AS label_2
              FROM (VALUES
                ('flu', 'acute', 'ill', '*'),
                ('ulcer', 'chronic', 'ill', '*'),
                ('gout', 'chronic', 'ill', '*')
              ) AS line (field_0, field_1, field_2, field_3)
              WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
            ) AS leaf
              ON value_count.value = leaf.value
          ) AS labels
      ) AS labelled
      WHERE (CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_1
        END) COLLATE C IS NOT NULL
    ) AS line (field_0, field_1)
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
      ROW_NUMBER() OVER (ORDER BY CAST(value AS VARCHAR) COLLATE C ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
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
    QUANTILE_DISC(figure_3, [0, 0.25, 0.5, 0.75, 1]) AS figures_3
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
      fails_1 OR fails_2 OR fails_3 AS fails,
      is_masked,
      was_empty,
      fails_1 AS drops,
      is_masked OR fails_2 OR fails_3 AS masks_sensitive,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3)) AS repair,
      figure_1,
      fails_1,
      figure_2,
      fails_2,
      figure_3,
      fails_3
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
        CASE WHEN verdict_2.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(0.2000000210000000111022313565 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN NOT class.is_masked ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_3.figure <= 1.7976931348623157e308, FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, NOT class.is_masked) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3
      FROM class_0 AS class
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
              FROM sized_1
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
                      FROM histogram_1 AS histogram
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
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 2 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
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
    WHEN NOT COALESCE(empty_rows >= 0 AND empty_rows <= masked_rows AND (source_rows - release_rows + masked_rows - empty_rows) * 5 <= 2 * source_rows, FALSE)
      THEN system.main.error('more rows are suppressed than the policy allows; nothing was changed')
    WHEN NOT COALESCE(class_count > 0 AND failing_classes_1 = 0 AND failing_rows_1 = 0 AND failing_classes_2 = 0 AND failing_rows_2 = 0 AND failing_classes_3 = 0 AND failing_rows_3 = 0, FALSE)
      THEN system.main.error('the release does not give what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_1 BETWEEN CAST(2.999999699 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_2 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.2000000210000000111022313565 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_3 BETWEEN CAST(1.999999799 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
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
) AS valued
UNION ALL
SELECT
  'visits' AS column_name,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE shown IS NOT NULL), 0) AS BIGINT) AS valued_rows,
  COUNT(shown) AS distinct_values,
  COUNT(shown) FILTER (WHERE row_count = 1) AS unique_rows
FROM (
  SELECT "audited"."visits" AS shown, COUNT(*) AS row_count
  FROM "clinic"."main"."released" AS audited
  GROUP BY "audited"."visits"
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
      || ', {"name": "t_closeness", "parameters": {"column": "disease", "t": "0.2", "distance": "ordered", "reference": "released"}, "measured": ' || CASE
      WHEN measured_2 IS NULL THEN 'null'
      WHEN measured_2 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_2 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "distinct_l_diversity", "parameters": {"column": "disease", "l": 2}, "measured": ' || CASE
      WHEN measured_3 IS NULL THEN 'null'
      WHEN measured_3 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_3 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ']' AS guarantees,
    NULL AS settled_rows,
    VERSION() AS engine_version,
    'policy.yml' AS policy,
    '.' AS folder,
    'sha256:b70380bd3af8acef8d1d4040fccf083f' AS policy_fingerprint,
    '<lock>' AS lock_fingerprint,
    'patients' AS source,
    'sha256:d70cbb88bf71e0a87bb2dd8260bed2bd' AS source_fingerprint,
    'full_domain' AS recoding,
    '{"levels": {"age": 1, "zip": 0}}' AS decision,
    '{"disease": 1}' AS sensitive_levels,
    '{"disease": "sha256:d3e67426727d0893836819d3c3a3147b"}' AS hierarchies,
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

DROP TABLE IF EXISTS temp.main."sqlgen_coarse";

DROP TABLE IF EXISTS temp.main."sqlgen_lookup_1";

DROP TABLE IF EXISTS temp.main."sqlgen_lookup_2";

-- from here on the release is visible
COMMIT;

-- what stands now
SELECT
  (SELECT COUNT(*) FROM "clinic"."main"."released") AS release_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released') AS release_object;
