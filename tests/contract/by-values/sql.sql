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
      AND system.main.lower(function_name) IN ('%', '*', '+', '-', '/', '//', 'abs', 'array_extract', 'array_slice', 'bool_or', 'ceil', 'contains', 'count', 'count_star', 'dense_rank', 'duckdb_tables', 'element_at', 'error', 'exp', 'floor', 'get_current_timestamp', 'greatest', 'lag', 'least', 'len', 'length', 'list', 'list_aggr', 'list_extract', 'list_position', 'list_slice', 'list_sort', 'list_sum', 'list_value', 'ln', 'map_extract', 'map_extract_value', 'max', 'min', 'now', 'nullif', 'quantile_disc', 'range', 'repeat', 'row', 'row_number', 'struct_extract', 'substring', 'sum', 'timezone', 'translate', 'unnest', 'version', '||')
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

-- zip: level 1 of 2, first 3 characters
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

-- age: level 0 of 2, the value itself
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
    CAST(value AS INTEGER) AS label
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
    FROM "clinic"."main"."patients"
    UNION ALL
    SELECT CAST("disease" AS VARCHAR) AS "disease"
    FROM "clinic"."main"."priors"
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
fixed_1 AS MATERIALIZED (
  SELECT
    value_1.id_0 AS value_id,
    CAST(SUM(1) AS BIGINT) AS reference_count
  FROM "clinic"."main"."patients" AS referred
  JOIN value_1 AS value_1
    ON CAST(CAST("referred"."disease" AS VARCHAR) COLLATE C AS VARCHAR) IS NOT DISTINCT FROM value_1.value
  GROUP BY value_1.id_0
  HAVING SUM(1) > 0
),
fixed_2 AS MATERIALIZED (
  SELECT
    value_1.id_0 AS value_id,
    CAST(SUM(CAST(referred."weight" * 10 AS HUGEINT)) AS BIGINT) AS reference_count
  FROM "clinic"."main"."priors" AS referred
  JOIN value_1 AS value_1
    ON CAST(CAST("referred"."disease" AS VARCHAR) COLLATE C AS VARCHAR) IS NOT DISTINCT FROM value_1.value
  GROUP BY value_1.id_0
  HAVING SUM(CAST(referred."weight" * 10 AS HUGEINT)) > 0
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
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY key_1, key_2
),
class_0 AS (
  SELECT class_id, class_size
  FROM class
  WHERE NOT (class_size < 3 OR class_size < 2)
),
class_cell_0 AS MATERIALIZED (
  SELECT
    class.class_id,
    class.class_size,
    counted.v1,
    counted.row_count
  FROM counted
  JOIN class
    ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2
  WHERE NOT (class_size < 3 OR class_size < 2)
),
class_1 AS MATERIALIZED (
  SELECT class_id, class_size
  FROM (
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
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          1 AS reference_count
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
        FROM histogram_1 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_1 AS total
      ),
      reference_2 AS MATERIALIZED (
        SELECT *
        FROM fixed_1
      ),
      total_2 AS MATERIALIZED (
        SELECT
          CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
          COUNT(*) AS reference_values,
          0 AS vanishing_values,
          0 AS reference_drift,
          COUNT(*) AS lasting_values
        FROM reference_2
      ),
      compared_2 AS MATERIALIZED (
        SELECT
          histogram.*,
          COALESCE(reference.reference_count, 0) AS reference_count,
          total.reference_rows,
          total.reference_values,
          total.vanishing_values,
          total.reference_drift,
          total.lasting_values
        FROM histogram_1 AS histogram
        LEFT JOIN reference_2 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_2 AS total
      ),
      reference_3 AS MATERIALIZED (
        SELECT *
        FROM fixed_2
      ),
      total_3 AS MATERIALIZED (
        SELECT
          CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
          COUNT(*) AS reference_values,
          0 AS vanishing_values,
          0 AS reference_drift,
          COUNT(*) AS lasting_values
        FROM reference_3
      ),
      compared_3 AS MATERIALIZED (
        SELECT
          histogram.*,
          COALESCE(reference.reference_count, 0) AS reference_count,
          total.reference_rows,
          total.reference_values,
          total.vanishing_values,
          total.reference_drift,
          total.lasting_values
        FROM histogram_1 AS histogram
        LEFT JOIN reference_3 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_3 AS total
      )
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 OR fails_7 OR fails_8 OR fails_9 OR fails_10 OR fails_11 OR fails_12 OR fails_13 OR fails_14 OR fails_15 OR fails_16 OR fails_17 OR fails_18 AS fails,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3, repair_4, repair_5, repair_6, repair_7, repair_8, repair_9, repair_10, repair_11, repair_12, repair_13, repair_14, repair_15, repair_16)) AS repair,
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
      fails_6,
      figure_7,
      fails_7,
      figure_8,
      fails_8,
      figure_9,
      fails_9,
      figure_10,
      fails_10,
      figure_11,
      fails_11,
      figure_12,
      fails_12,
      figure_13,
      fails_13,
      figure_14,
      fails_14,
      figure_15,
      fails_15,
      figure_16,
      fails_16,
      figure_17,
      fails_17,
      figure_18,
      fails_18
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        (class_size < 2) OR CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(0.9000000910000000222044627129 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN class_size < 2 THEN class_size
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(0.999999899 AS DOUBLE) AND verdict_3.figure <= 1.7976931348623157e308, FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(1.099999889000000088817833088 AS DOUBLE) AND verdict_4.figure <= 1.7976931348623157e308, FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4,
        verdict_5.figure AS figure_5,
        CASE WHEN verdict_5.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_5.figure <= CAST(30.000003001 AS DOUBLE), FALSE) END AS fails_5,
        CASE
          WHEN NOT COALESCE(verdict_5.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_5,
        verdict_6.figure AS figure_6,
        CASE WHEN verdict_6.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_6,
        CASE
          WHEN NOT COALESCE(verdict_6.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_6,
        verdict_7.figure AS figure_7,
        CASE WHEN verdict_7.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_7.fails, TRUE) OR NOT COALESCE(verdict_7.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_7.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_7,
        CASE
          WHEN NOT COALESCE(verdict_7.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_7.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_7,
        verdict_8.figure AS figure_8,
        CASE WHEN verdict_8.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_8.fails, TRUE) OR NOT COALESCE(verdict_8.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_8.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_8,
        CASE
          WHEN NOT COALESCE(verdict_8.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_8.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_8,
        verdict_9.figure AS figure_9,
        CASE WHEN verdict_9.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_9.fails, TRUE) OR NOT COALESCE(verdict_9.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_9.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_9,
        CASE
          WHEN NOT COALESCE(verdict_9.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_9.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_9,
        verdict_10.figure AS figure_10,
        CASE WHEN verdict_10.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_10.fails, TRUE) OR NOT COALESCE(verdict_10.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_10.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_10,
        CASE
          WHEN NOT COALESCE(verdict_10.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_10.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_10,
        verdict_11.figure AS figure_11,
        CASE WHEN verdict_11.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_11.fails, TRUE) OR NOT COALESCE(verdict_11.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_11.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_11,
        CASE
          WHEN NOT COALESCE(verdict_11.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_11.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_11,
        verdict_12.figure AS figure_12,
        CASE WHEN verdict_12.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_12.fails, TRUE) OR NOT COALESCE(verdict_12.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_12.figure <= CAST(3.000000301 AS DOUBLE), FALSE) END AS fails_12,
        CASE
          WHEN NOT COALESCE(verdict_12.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_12.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_12,
        verdict_13.figure AS figure_13,
        CASE WHEN verdict_13.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_13.fails, TRUE) OR NOT COALESCE(verdict_13.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_13.figure <= CAST(3.000000301 AS DOUBLE), FALSE) END AS fails_13,
        CASE
          WHEN NOT COALESCE(verdict_13.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_13.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_13,
        verdict_14.figure AS figure_14,
        CASE WHEN verdict_14.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_14.fails, TRUE) OR NOT COALESCE(verdict_14.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_14.figure <= CAST(5.000000501 AS DOUBLE), FALSE) END AS fails_14,
        CASE
          WHEN NOT COALESCE(verdict_14.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_14.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_14,
        verdict_15.figure AS figure_15,
        CASE WHEN verdict_15.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_15.fails, TRUE) OR NOT COALESCE(verdict_15.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_15.figure <= CAST(5.000000501 AS DOUBLE), FALSE) END AS fails_15,
        CASE
          WHEN NOT COALESCE(verdict_15.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_15.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_15,
        verdict_16.figure AS figure_16,
        CASE WHEN verdict_16.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_16.fails, TRUE) OR NOT COALESCE(verdict_16.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_16.figure <= CAST(0.000000001 AS DOUBLE), FALSE) END AS fails_16,
        CASE
          WHEN NOT COALESCE(verdict_16.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_16.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_16,
        verdict_17.figure AS figure_17,
        CASE WHEN verdict_17.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_17.fails, TRUE) OR NOT COALESCE(verdict_17.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_17.figure <= 1.7976931348623157e308, FALSE) END AS fails_17,
        CASE
          WHEN NOT COALESCE(verdict_17.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_17.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_17,
        verdict_18.figure AS figure_18,
        CASE WHEN verdict_18.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_18.fails, TRUE) OR NOT COALESCE(verdict_18.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_18.figure <= 1.7976931348623157e308, FALSE) END AS fails_18,
        CASE
          WHEN NOT COALESCE(verdict_18.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_18.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_18
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class_id,
          largest * 10 > 9 * CAST(class_size AS HUGEINT) AS fails,
          largest / class_size AS figure,
          (largest * 10 - class_size * CAST(9 AS HUGEINT)) / 1 AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            CAST(COALESCE(MAX(value_count) FILTER (WHERE value_id IN (
              SELECT id_0
              FROM value_1
              WHERE value IN (TRY_CAST('flu' AS VARCHAR))
            )), 0) AS HUGEINT) AS largest
          FROM histogram_1
          GROUP BY class_id, class_size
        ) AS class_share
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 1 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          class_size * entropy < class_size * LN(1.1) * (1 - 1e-9) AS fails,
          EXP(entropy) AS figure,
          class_size * (1 - 2e-9 - entropy / LN(1.1)) AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            GREATEST(0, LN(class_size) - SUM(value_count * LN(value_count)) / class_size) AS entropy
          FROM histogram_1
          GROUP BY class_id, class_size
        ) AS class_entropy
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
      LEFT JOIN (
        SELECT
          verdict.class_id,
          verdict.fails OR rarest * 100 < 1 * CAST(class_size AS HUGEINT) AS fails,
          verdict.figure,
          GREATEST(verdict.repair, class_size - rarest / (1 / 100)) AS repair
        FROM (
          SELECT
            class_id,
            COALESCE(CAST(leading_count AS HUGEINT) * 1 >= 30 * CAST(tail AS HUGEINT), FALSE) AS fails,
            CASE
              WHEN leading_count IS NULL THEN 0
              WHEN tail = 0 THEN CAST('infinity' AS DOUBLE)
              ELSE leading_count / tail
            END AS figure,
            GREATEST(COALESCE(leading_count - tail * (30 / 1), 0), 0) AS repair
          FROM (
            SELECT
              class_id,
              CAST(leading_count AS HUGEINT) AS leading_count,
              CAST(CASE
                WHEN LEN(largest) < 1 OR leading_count >= largest[1] THEN class_size - LIST_SUM(largest)
                ELSE class_size - LIST_SUM(largest) + largest[1] - leading_count
              END AS HUGEINT) AS tail
            FROM (
              SELECT
                class_id,
                class_size,
                MAX(value_count) FILTER (WHERE value_id NOT IN (
                  SELECT id_0
                  FROM value_1
                  WHERE value IN (TRY_CAST('flu' AS VARCHAR))
                )) AS leading_count,
                MAX(value_count, 1) AS largest
              FROM histogram_1
              GROUP BY class_id, class_size
            ) AS class_count
          ) AS class_tail
        ) AS verdict
        JOIN (
          SELECT
            class_id,
            class_size,
            CAST(CASE
              WHEN COUNT(*) FILTER (WHERE value_id IN (
                SELECT id_0
                FROM value_1
                WHERE value IN (TRY_CAST('flu' AS VARCHAR))
              )) < 1 THEN 0
              ELSE MIN(value_count) FILTER (WHERE value_id IN (
                SELECT id_0
                FROM value_1
                WHERE value IN (TRY_CAST('flu' AS VARCHAR))
              ))
            END AS HUGEINT) AS rarest
          FROM histogram_1
          GROUP BY class_id, class_size
        ) AS protected_count
          ON verdict.class_id = protected_count.class_id
      ) AS verdict_5
        ON class.class_id = verdict_5.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
              SUM(ABS(CAST(reference_rows AS HUGEINT) * value_count - CAST(class_size AS HUGEINT) * reference_count))
                + CAST(class_size AS HUGEINT) * (reference_rows - CAST(SUM(reference_count) AS BIGINT)) AS work,
              CAST(2 AS HUGEINT) * class_size * reference_rows AS unit
            FROM compared_1
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict_6
        ON class.class_id = verdict_6.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
                  LEFT JOIN reference_2 AS reference
                    ON value.id_0 = reference.value_id
                  WHERE reference.reference_count > 0
                    OR value.id_0 IN (SELECT value_id FROM histogram_1)
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
                  CROSS JOIN total_2 AS total
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
                  CROSS JOIN total_2 AS total
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
            CROSS JOIN total_2 AS total
            CROSS JOIN (SELECT MAX(place) AS last_place, MAX(prefix_before + cumulative) AS last_prefix FROM position) AS last_position
          ) AS class_work
        ) AS class_distance
      ) AS verdict_7
        ON class.class_id = verdict_7.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
              SUM(ABS(CAST(reference_rows AS HUGEINT) * cut_count - CAST(class_size AS HUGEINT) * reference_count))
                + CAST(class_size AS HUGEINT) * (2 * CAST(reference_rows AS HUGEINT) - SUM(reference_count)) AS work,
              CAST(4 AS HUGEINT) * class_size * reference_rows AS unit
            FROM (
              SELECT
                class_cut.*,
                COALESCE(reference_cut.reference_count, 0) AS reference_count
              FROM (
                SELECT
                  histogram.class_id,
                  histogram.class_size,
                  histogram.reference_rows,
                  histogram.reference_values,
                  histogram.reference_drift,
                  histogram.vanishing_values,
                  0 AS level,
                  value.id_0 AS cut_id,
                  CAST(SUM(histogram.value_count) AS BIGINT) AS cut_count
                FROM compared_2 AS histogram
                JOIN value_1 AS value
                  ON histogram.value_id = value.id_0
                GROUP BY histogram.class_id, histogram.class_size, histogram.reference_rows, histogram.reference_values, histogram.reference_drift, histogram.vanishing_values, value.id_0
                UNION ALL
                SELECT
                  histogram.class_id,
                  histogram.class_size,
                  histogram.reference_rows,
                  histogram.reference_values,
                  histogram.reference_drift,
                  histogram.vanishing_values,
                  1 AS level,
                  value.id_1 AS cut_id,
                  CAST(SUM(histogram.value_count) AS BIGINT) AS cut_count
                FROM compared_2 AS histogram
                JOIN value_1 AS value
                  ON histogram.value_id = value.id_0
                GROUP BY histogram.class_id, histogram.class_size, histogram.reference_rows, histogram.reference_values, histogram.reference_drift, histogram.vanishing_values, value.id_1
              ) AS class_cut
              LEFT JOIN (
                SELECT
                  0 AS level,
                  value.id_0 AS cut_id,
                  CAST(SUM(reference.reference_count) AS BIGINT) AS reference_count
                FROM reference_2 AS reference
                JOIN value_1 AS value
                  ON reference.value_id = value.id_0
                GROUP BY value.id_0
                UNION ALL
                SELECT
                  1 AS level,
                  value.id_1 AS cut_id,
                  CAST(SUM(reference.reference_count) AS BIGINT) AS reference_count
                FROM reference_2 AS reference
                JOIN value_1 AS value
                  ON reference.value_id = value.id_0
                GROUP BY value.id_1
              ) AS reference_cut
                ON class_cut.level = reference_cut.level
                AND class_cut.cut_id = reference_cut.cut_id
            ) AS compared_cut
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict_8
        ON class.class_id = verdict_8.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
              SUM(ABS(CAST(reference_rows AS HUGEINT) * value_count - CAST(class_size AS HUGEINT) * reference_count))
                + CAST(class_size AS HUGEINT) * (reference_rows - CAST(SUM(reference_count) AS BIGINT)) AS work,
              CAST(2 AS HUGEINT) * class_size * reference_rows AS unit
            FROM compared_2
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict_9
        ON class.class_id = verdict_9.class_id
      LEFT JOIN (
        SELECT
          class_id,
          distance > 0.5 * (1 + 1e-9) AS fails,
          distance AS figure,
          CASE WHEN distance < CAST('infinity' AS DOUBLE) AND most > 0.5 THEN class_size * (distance - 0.5 * (1 + 2e-9)) / (most - 0.5) ELSE 0 END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            CASE
              WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
              ELSE GREATEST(0, SUM(value_count * (LN(value_count / class_size) - LN(NULLIF(reference_count, 0) / reference_rows))) / class_size)
            END AS distance,
            LN(reference_rows / (SELECT MIN(reference_count) FROM reference_3 WHERE reference_count > 0)) AS most
          FROM compared_3
          GROUP BY class_id, class_size, reference_rows
        ) AS class_distance
      ) AS verdict_10
        ON class.class_id = verdict_10.class_id
      LEFT JOIN (
        SELECT
          class_id,
          distance > 0.5 * (1 + 1e-9) AS fails,
          distance AS figure,
          CASE WHEN distance < CAST('infinity' AS DOUBLE) AND most > 0.5 THEN class_size * (distance - 0.5 * (1 + 2e-9)) / (most - 0.5) ELSE 0 END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            CASE WHEN reference_rows > 0 THEN GREATEST(0, (
              SUM(share * LN(2 * share / (share + reference_share)))
              + COALESCE(SUM(reference_share * LN(2 * NULLIF(reference_share, 0) / (share + reference_share))), 0)
              + (reference_rows - SUM(reference_count)) / reference_rows * LN(2)
            ) / 2) END AS distance,
            LN(2) AS most
          FROM (
            SELECT
              *,
              value_count / class_size AS share,
              reference_count / reference_rows AS reference_share
            FROM compared_2
          ) AS share
          GROUP BY class_id, class_size, reference_rows
        ) AS class_distance
      ) AS verdict_11
        ON class.class_id = verdict_11.class_id
      LEFT JOIN (
        SELECT
          class_id,
          fails OR held_values < reference_values AS fails,
          CASE WHEN is_infinite OR held_values < reference_values THEN CAST('infinity' AS DOUBLE) ELSE LN(NULLIF(furthest, 0)) END AS figure,
          CASE WHEN held_lasting < lasting_values THEN class_size ELSE repair END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            reference_values,
            COUNT(*) FILTER (WHERE reference_count > 0) AS held_values,
            COUNT(*) FILTER (WHERE reference_count > reference_drift) AS held_lasting,
            lasting_values,
            BOOL_OR(reference_count = 0) AS is_infinite,
            BOOL_OR(
              value_count * CAST(reference_rows AS HUGEINT) * 50000000000000 > class_size * CAST(reference_count AS HUGEINT) * 1004276846159383
              OR class_size * CAST(reference_count AS HUGEINT) * 50000000000000 > value_count * CAST(reference_rows AS HUGEINT) * 1004276846159383
            ) AS fails,
            MAX(GREATEST(
              (value_count / class_size) / NULLIF(reference_count / reference_rows, 0),
              (reference_count / reference_rows) / (value_count / class_size)
            )) AS furthest,
            MAX(GREATEST(
              CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END,
              CASE WHEN least_share > 0 THEN class_size - value_count / least_share ELSE 0 END
            )) AS repair
          FROM (
            SELECT
              *,
              reference_count * (1004276846159383 / 50000000000000) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share,
              (reference_count - reference_drift) / (1004276846159383 / 50000000000000) / reference_rows AS least_share
            FROM compared_2
          ) AS bounded_value
          GROUP BY class_id, class_size, reference_values, lasting_values
        ) AS class_ratio
      ) AS verdict_12
        ON class.class_id = verdict_12.class_id
      LEFT JOIN (
        SELECT
          class_id,
          fails OR held_values < reference_values AS fails,
          CASE WHEN is_infinite OR held_values < reference_values THEN CAST('infinity' AS DOUBLE) ELSE LN(NULLIF(furthest, 0)) END AS figure,
          CASE WHEN held_lasting < lasting_values THEN class_size ELSE repair END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            reference_values,
            COUNT(*) FILTER (WHERE reference_count > 0) AS held_values,
            COUNT(*) FILTER (WHERE reference_count > reference_drift) AS held_lasting,
            lasting_values,
            BOOL_OR(reference_count = 0) AS is_infinite,
            BOOL_OR(
              value_count * CAST(reference_rows AS HUGEINT) * 50000000000000 > class_size * CAST(reference_count AS HUGEINT) * 1004276846159383
              OR class_size * CAST(reference_count AS HUGEINT) * 50000000000000 > value_count * CAST(reference_rows AS HUGEINT) * 1004276846159383
            ) AS fails,
            MAX(GREATEST(
              (value_count / class_size) / NULLIF(reference_count / reference_rows, 0),
              (reference_count / reference_rows) / (value_count / class_size)
            )) AS furthest,
            MAX(GREATEST(
              CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END,
              CASE WHEN least_share > 0 THEN class_size - value_count / least_share ELSE 0 END
            )) AS repair
          FROM (
            SELECT
              *,
              reference_count * (1004276846159383 / 50000000000000) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share,
              (reference_count - reference_drift) / (1004276846159383 / 50000000000000) / reference_rows AS least_share
            FROM compared_2
          ) AS bounded_value
          GROUP BY class_id, class_size, reference_values, lasting_values
        ) AS class_ratio
      ) AS verdict_13
        ON class.class_id = verdict_13.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(
            value_count * CAST(reference_rows AS HUGEINT) * 1 > class_size * CAST(reference_count AS HUGEINT) * 6
            OR value_count * CAST(reference_rows AS HUGEINT) * 1000000000000 > class_size * CAST(reference_count AS HUGEINT) * CAST(FLOOR((1 - COALESCE(LN(NULLIF(reference_count, 0) / reference_rows), 0)) * 1e12) AS HUGEINT)
          ) AS fails,
          CASE
            WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
            ELSE MAX(GREATEST(0, (value_count / class_size) / NULLIF(reference_count / reference_rows, 0) - 1))
          END AS figure,
          MAX(CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END) AS repair
        FROM (
          SELECT
            *,
            drifted_share * LEAST(6 / 1, 1 - COALESCE(LN(NULLIF(drifted_share, 0)), 0)) AS most_share
          FROM (
            SELECT
              *,
              LEAST(1, reference_count / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0)) AS drifted_share
            FROM compared_2
          ) AS drifted_value
        ) AS bounded_value
        GROUP BY class_id, class_size
      ) AS verdict_14
        ON class.class_id = verdict_14.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(value_count * CAST(reference_rows AS HUGEINT) * 1 > class_size * CAST(reference_count AS HUGEINT) * 5) AS fails,
          CASE
            WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
            ELSE MAX((value_count / class_size) / NULLIF(reference_count / reference_rows, 0))
          END AS figure,
          MAX(CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END) AS repair
        FROM (
          SELECT
            *,
            reference_count * (5 / 1) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share
          FROM compared_2
        ) AS bounded_value
        GROUP BY class_id, class_size
      ) AS verdict_15
        ON class.class_id = verdict_15.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) <= 1 AS fails,
          CASE WHEN COUNT(*) <= 1 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_16
        ON class.class_id = verdict_16.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          CASE WHEN COUNT(*) <= 2 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_17
        ON class.class_id = verdict_17.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          CASE WHEN COUNT(DISTINCT group_id) = 1 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM (
          SELECT
            histogram.class_id,
            histogram.class_size,
            value.id_1 AS group_id
          FROM histogram_1 AS histogram
          JOIN value_1 AS value
            ON histogram.value_id = value.id_0
        ) AS class_group
        GROUP BY class_id, class_size
      ) AS verdict_18
        ON class.class_id = verdict_18.class_id
    ) AS judged
  ) AS verdict
  WHERE NOT fails
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
class_2 AS MATERIALIZED (
  SELECT class_id, class_size
  FROM (
    WITH
      histogram_1 AS (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          row_count AS value_count
        FROM class_cell_1
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_1
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          1 AS reference_count
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
        FROM histogram_1 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_1 AS total
      ),
      reference_2 AS MATERIALIZED (
        SELECT *
        FROM fixed_1
      ),
      total_2 AS MATERIALIZED (
        SELECT
          CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
          COUNT(*) AS reference_values,
          0 AS vanishing_values,
          0 AS reference_drift,
          COUNT(*) AS lasting_values
        FROM reference_2
      ),
      compared_2 AS MATERIALIZED (
        SELECT
          histogram.*,
          COALESCE(reference.reference_count, 0) AS reference_count,
          total.reference_rows,
          total.reference_values,
          total.vanishing_values,
          total.reference_drift,
          total.lasting_values
        FROM histogram_1 AS histogram
        LEFT JOIN reference_2 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_2 AS total
      ),
      reference_3 AS MATERIALIZED (
        SELECT *
        FROM fixed_2
      ),
      total_3 AS MATERIALIZED (
        SELECT
          CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
          COUNT(*) AS reference_values,
          0 AS vanishing_values,
          0 AS reference_drift,
          COUNT(*) AS lasting_values
        FROM reference_3
      ),
      compared_3 AS MATERIALIZED (
        SELECT
          histogram.*,
          COALESCE(reference.reference_count, 0) AS reference_count,
          total.reference_rows,
          total.reference_values,
          total.vanishing_values,
          total.reference_drift,
          total.lasting_values
        FROM histogram_1 AS histogram
        LEFT JOIN reference_3 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_3 AS total
      )
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 OR fails_7 OR fails_8 OR fails_9 OR fails_10 OR fails_11 OR fails_12 OR fails_13 OR fails_14 OR fails_15 OR fails_16 OR fails_17 OR fails_18 AS fails,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3, repair_4, repair_5, repair_6, repair_7, repair_8, repair_9, repair_10, repair_11, repair_12, repair_13, repair_14, repair_15, repair_16)) AS repair,
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
      fails_6,
      figure_7,
      fails_7,
      figure_8,
      fails_8,
      figure_9,
      fails_9,
      figure_10,
      fails_10,
      figure_11,
      fails_11,
      figure_12,
      fails_12,
      figure_13,
      fails_13,
      figure_14,
      fails_14,
      figure_15,
      fails_15,
      figure_16,
      fails_16,
      figure_17,
      fails_17,
      figure_18,
      fails_18
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        (class_size < 2) OR CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(0.9000000910000000222044627129 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN class_size < 2 THEN class_size
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(0.999999899 AS DOUBLE) AND verdict_3.figure <= 1.7976931348623157e308, FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(1.099999889000000088817833088 AS DOUBLE) AND verdict_4.figure <= 1.7976931348623157e308, FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4,
        verdict_5.figure AS figure_5,
        CASE WHEN verdict_5.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_5.figure <= CAST(30.000003001 AS DOUBLE), FALSE) END AS fails_5,
        CASE
          WHEN NOT COALESCE(verdict_5.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_5,
        verdict_6.figure AS figure_6,
        CASE WHEN verdict_6.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_6,
        CASE
          WHEN NOT COALESCE(verdict_6.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_6,
        verdict_7.figure AS figure_7,
        CASE WHEN verdict_7.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_7.fails, TRUE) OR NOT COALESCE(verdict_7.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_7.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_7,
        CASE
          WHEN NOT COALESCE(verdict_7.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_7.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_7,
        verdict_8.figure AS figure_8,
        CASE WHEN verdict_8.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_8.fails, TRUE) OR NOT COALESCE(verdict_8.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_8.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_8,
        CASE
          WHEN NOT COALESCE(verdict_8.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_8.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_8,
        verdict_9.figure AS figure_9,
        CASE WHEN verdict_9.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_9.fails, TRUE) OR NOT COALESCE(verdict_9.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_9.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_9,
        CASE
          WHEN NOT COALESCE(verdict_9.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_9.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_9,
        verdict_10.figure AS figure_10,
        CASE WHEN verdict_10.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_10.fails, TRUE) OR NOT COALESCE(verdict_10.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_10.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_10,
        CASE
          WHEN NOT COALESCE(verdict_10.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_10.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_10,
        verdict_11.figure AS figure_11,
        CASE WHEN verdict_11.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_11.fails, TRUE) OR NOT COALESCE(verdict_11.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_11.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_11,
        CASE
          WHEN NOT COALESCE(verdict_11.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_11.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_11,
        verdict_12.figure AS figure_12,
        CASE WHEN verdict_12.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_12.fails, TRUE) OR NOT COALESCE(verdict_12.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_12.figure <= CAST(3.000000301 AS DOUBLE), FALSE) END AS fails_12,
        CASE
          WHEN NOT COALESCE(verdict_12.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_12.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_12,
        verdict_13.figure AS figure_13,
        CASE WHEN verdict_13.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_13.fails, TRUE) OR NOT COALESCE(verdict_13.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_13.figure <= CAST(3.000000301 AS DOUBLE), FALSE) END AS fails_13,
        CASE
          WHEN NOT COALESCE(verdict_13.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_13.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_13,
        verdict_14.figure AS figure_14,
        CASE WHEN verdict_14.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_14.fails, TRUE) OR NOT COALESCE(verdict_14.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_14.figure <= CAST(5.000000501 AS DOUBLE), FALSE) END AS fails_14,
        CASE
          WHEN NOT COALESCE(verdict_14.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_14.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_14,
        verdict_15.figure AS figure_15,
        CASE WHEN verdict_15.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_15.fails, TRUE) OR NOT COALESCE(verdict_15.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_15.figure <= CAST(5.000000501 AS DOUBLE), FALSE) END AS fails_15,
        CASE
          WHEN NOT COALESCE(verdict_15.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_15.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_15,
        verdict_16.figure AS figure_16,
        CASE WHEN verdict_16.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_16.fails, TRUE) OR NOT COALESCE(verdict_16.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_16.figure <= CAST(0.000000001 AS DOUBLE), FALSE) END AS fails_16,
        CASE
          WHEN NOT COALESCE(verdict_16.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_16.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_16,
        verdict_17.figure AS figure_17,
        CASE WHEN verdict_17.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_17.fails, TRUE) OR NOT COALESCE(verdict_17.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_17.figure <= 1.7976931348623157e308, FALSE) END AS fails_17,
        CASE
          WHEN NOT COALESCE(verdict_17.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_17.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_17,
        verdict_18.figure AS figure_18,
        CASE WHEN verdict_18.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_18.fails, TRUE) OR NOT COALESCE(verdict_18.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_18.figure <= 1.7976931348623157e308, FALSE) END AS fails_18,
        CASE
          WHEN NOT COALESCE(verdict_18.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_18.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_18
      FROM class_1 AS class
      LEFT JOIN (
        SELECT
          class_id,
          largest * 10 > 9 * CAST(class_size AS HUGEINT) AS fails,
          largest / class_size AS figure,
          (largest * 10 - class_size * CAST(9 AS HUGEINT)) / 1 AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            CAST(COALESCE(MAX(value_count) FILTER (WHERE value_id IN (
              SELECT id_0
              FROM value_1
              WHERE value IN (TRY_CAST('flu' AS VARCHAR))
            )), 0) AS HUGEINT) AS largest
          FROM histogram_1
          GROUP BY class_id, class_size
        ) AS class_share
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 1 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          class_size * entropy < class_size * LN(1.1) * (1 - 1e-9) AS fails,
          EXP(entropy) AS figure,
          class_size * (1 - 2e-9 - entropy / LN(1.1)) AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            GREATEST(0, LN(class_size) - SUM(value_count * LN(value_count)) / class_size) AS entropy
          FROM histogram_1
          GROUP BY class_id, class_size
        ) AS class_entropy
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
      LEFT JOIN (
        SELECT
          verdict.class_id,
          verdict.fails OR rarest * 100 < 1 * CAST(class_size AS HUGEINT) AS fails,
          verdict.figure,
          GREATEST(verdict.repair, class_size - rarest / (1 / 100)) AS repair
        FROM (
          SELECT
            class_id,
            COALESCE(CAST(leading_count AS HUGEINT) * 1 >= 30 * CAST(tail AS HUGEINT), FALSE) AS fails,
            CASE
              WHEN leading_count IS NULL THEN 0
              WHEN tail = 0 THEN CAST('infinity' AS DOUBLE)
              ELSE leading_count / tail
            END AS figure,
            GREATEST(COALESCE(leading_count - tail * (30 / 1), 0), 0) AS repair
          FROM (
            SELECT
              class_id,
              CAST(leading_count AS HUGEINT) AS leading_count,
              CAST(CASE
                WHEN LEN(largest) < 1 OR leading_count >= largest[1] THEN class_size - LIST_SUM(largest)
                ELSE class_size - LIST_SUM(largest) + largest[1] - leading_count
              END AS HUGEINT) AS tail
            FROM (
              SELECT
                class_id,
                class_size,
                MAX(value_count) FILTER (WHERE value_id NOT IN (
                  SELECT id_0
                  FROM value_1
                  WHERE value IN (TRY_CAST('flu' AS VARCHAR))
                )) AS leading_count,
                MAX(value_count, 1) AS largest
              FROM histogram_1
              GROUP BY class_id, class_size
            ) AS class_count
          ) AS class_tail
        ) AS verdict
        JOIN (
          SELECT
            class_id,
            class_size,
            CAST(CASE
              WHEN COUNT(*) FILTER (WHERE value_id IN (
                SELECT id_0
                FROM value_1
                WHERE value IN (TRY_CAST('flu' AS VARCHAR))
              )) < 1 THEN 0
              ELSE MIN(value_count) FILTER (WHERE value_id IN (
                SELECT id_0
                FROM value_1
                WHERE value IN (TRY_CAST('flu' AS VARCHAR))
              ))
            END AS HUGEINT) AS rarest
          FROM histogram_1
          GROUP BY class_id, class_size
        ) AS protected_count
          ON verdict.class_id = protected_count.class_id
      ) AS verdict_5
        ON class.class_id = verdict_5.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
              SUM(ABS(CAST(reference_rows AS HUGEINT) * value_count - CAST(class_size AS HUGEINT) * reference_count))
                + CAST(class_size AS HUGEINT) * (reference_rows - CAST(SUM(reference_count) AS BIGINT)) AS work,
              CAST(2 AS HUGEINT) * class_size * reference_rows AS unit
            FROM compared_1
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict_6
        ON class.class_id = verdict_6.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
                  LEFT JOIN reference_2 AS reference
                    ON value.id_0 = reference.value_id
                  WHERE reference.reference_count > 0
                    OR value.id_0 IN (SELECT value_id FROM histogram_1)
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
                  CROSS JOIN total_2 AS total
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
                  CROSS JOIN total_2 AS total
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
            CROSS JOIN total_2 AS total
            CROSS JOIN (SELECT MAX(place) AS last_place, MAX(prefix_before + cumulative) AS last_prefix FROM position) AS last_position
          ) AS class_work
        ) AS class_distance
      ) AS verdict_7
        ON class.class_id = verdict_7.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
              SUM(ABS(CAST(reference_rows AS HUGEINT) * cut_count - CAST(class_size AS HUGEINT) * reference_count))
                + CAST(class_size AS HUGEINT) * (2 * CAST(reference_rows AS HUGEINT) - SUM(reference_count)) AS work,
              CAST(4 AS HUGEINT) * class_size * reference_rows AS unit
            FROM (
              SELECT
                class_cut.*,
                COALESCE(reference_cut.reference_count, 0) AS reference_count
              FROM (
                SELECT
                  histogram.class_id,
                  histogram.class_size,
                  histogram.reference_rows,
                  histogram.reference_values,
                  histogram.reference_drift,
                  histogram.vanishing_values,
                  0 AS level,
                  value.id_0 AS cut_id,
                  CAST(SUM(histogram.value_count) AS BIGINT) AS cut_count
                FROM compared_2 AS histogram
                JOIN value_1 AS value
                  ON histogram.value_id = value.id_0
                GROUP BY histogram.class_id, histogram.class_size, histogram.reference_rows, histogram.reference_values, histogram.reference_drift, histogram.vanishing_values, value.id_0
                UNION ALL
                SELECT
                  histogram.class_id,
                  histogram.class_size,
                  histogram.reference_rows,
                  histogram.reference_values,
                  histogram.reference_drift,
                  histogram.vanishing_values,
                  1 AS level,
                  value.id_1 AS cut_id,
                  CAST(SUM(histogram.value_count) AS BIGINT) AS cut_count
                FROM compared_2 AS histogram
                JOIN value_1 AS value
                  ON histogram.value_id = value.id_0
                GROUP BY histogram.class_id, histogram.class_size, histogram.reference_rows, histogram.reference_values, histogram.reference_drift, histogram.vanishing_values, value.id_1
              ) AS class_cut
              LEFT JOIN (
                SELECT
                  0 AS level,
                  value.id_0 AS cut_id,
                  CAST(SUM(reference.reference_count) AS BIGINT) AS reference_count
                FROM reference_2 AS reference
                JOIN value_1 AS value
                  ON reference.value_id = value.id_0
                GROUP BY value.id_0
                UNION ALL
                SELECT
                  1 AS level,
                  value.id_1 AS cut_id,
                  CAST(SUM(reference.reference_count) AS BIGINT) AS reference_count
                FROM reference_2 AS reference
                JOIN value_1 AS value
                  ON reference.value_id = value.id_0
                GROUP BY value.id_1
              ) AS reference_cut
                ON class_cut.level = reference_cut.level
                AND class_cut.cut_id = reference_cut.cut_id
            ) AS compared_cut
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict_8
        ON class.class_id = verdict_8.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
              SUM(ABS(CAST(reference_rows AS HUGEINT) * value_count - CAST(class_size AS HUGEINT) * reference_count))
                + CAST(class_size AS HUGEINT) * (reference_rows - CAST(SUM(reference_count) AS BIGINT)) AS work,
              CAST(2 AS HUGEINT) * class_size * reference_rows AS unit
            FROM compared_2
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict_9
        ON class.class_id = verdict_9.class_id
      LEFT JOIN (
        SELECT
          class_id,
          distance > 0.5 * (1 + 1e-9) AS fails,
          distance AS figure,
          CASE WHEN distance < CAST('infinity' AS DOUBLE) AND most > 0.5 THEN class_size * (distance - 0.5 * (1 + 2e-9)) / (most - 0.5) ELSE 0 END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            CASE
              WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
              ELSE GREATEST(0, SUM(value_count * (LN(value_count / class_size) - LN(NULLIF(reference_count, 0) / reference_rows))) / class_size)
            END AS distance,
            LN(reference_rows / (SELECT MIN(reference_count) FROM reference_3 WHERE reference_count > 0)) AS most
          FROM compared_3
          GROUP BY class_id, class_size, reference_rows
        ) AS class_distance
      ) AS verdict_10
        ON class.class_id = verdict_10.class_id
      LEFT JOIN (
        SELECT
          class_id,
          distance > 0.5 * (1 + 1e-9) AS fails,
          distance AS figure,
          CASE WHEN distance < CAST('infinity' AS DOUBLE) AND most > 0.5 THEN class_size * (distance - 0.5 * (1 + 2e-9)) / (most - 0.5) ELSE 0 END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            CASE WHEN reference_rows > 0 THEN GREATEST(0, (
              SUM(share * LN(2 * share / (share + reference_share)))
              + COALESCE(SUM(reference_share * LN(2 * NULLIF(reference_share, 0) / (share + reference_share))), 0)
              + (reference_rows - SUM(reference_count)) / reference_rows * LN(2)
            ) / 2) END AS distance,
            LN(2) AS most
          FROM (
            SELECT
              *,
              value_count / class_size AS share,
              reference_count / reference_rows AS reference_share
            FROM compared_2
          ) AS share
          GROUP BY class_id, class_size, reference_rows
        ) AS class_distance
      ) AS verdict_11
        ON class.class_id = verdict_11.class_id
      LEFT JOIN (
        SELECT
          class_id,
          fails OR held_values < reference_values AS fails,
          CASE WHEN is_infinite OR held_values < reference_values THEN CAST('infinity' AS DOUBLE) ELSE LN(NULLIF(furthest, 0)) END AS figure,
          CASE WHEN held_lasting < lasting_values THEN class_size ELSE repair END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            reference_values,
            COUNT(*) FILTER (WHERE reference_count > 0) AS held_values,
            COUNT(*) FILTER (WHERE reference_count > reference_drift) AS held_lasting,
            lasting_values,
            BOOL_OR(reference_count = 0) AS is_infinite,
            BOOL_OR(
              value_count * CAST(reference_rows AS HUGEINT) * 50000000000000 > class_size * CAST(reference_count AS HUGEINT) * 1004276846159383
              OR class_size * CAST(reference_count AS HUGEINT) * 50000000000000 > value_count * CAST(reference_rows AS HUGEINT) * 1004276846159383
            ) AS fails,
            MAX(GREATEST(
              (value_count / class_size) / NULLIF(reference_count / reference_rows, 0),
              (reference_count / reference_rows) / (value_count / class_size)
            )) AS furthest,
            MAX(GREATEST(
              CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END,
              CASE WHEN least_share > 0 THEN class_size - value_count / least_share ELSE 0 END
            )) AS repair
          FROM (
            SELECT
              *,
              reference_count * (1004276846159383 / 50000000000000) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share,
              (reference_count - reference_drift) / (1004276846159383 / 50000000000000) / reference_rows AS least_share
            FROM compared_2
          ) AS bounded_value
          GROUP BY class_id, class_size, reference_values, lasting_values
        ) AS class_ratio
      ) AS verdict_12
        ON class.class_id = verdict_12.class_id
      LEFT JOIN (
        SELECT
          class_id,
          fails OR held_values < reference_values AS fails,
          CASE WHEN is_infinite OR held_values < reference_values THEN CAST('infinity' AS DOUBLE) ELSE LN(NULLIF(furthest, 0)) END AS figure,
          CASE WHEN held_lasting < lasting_values THEN class_size ELSE repair END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            reference_values,
            COUNT(*) FILTER (WHERE reference_count > 0) AS held_values,
            COUNT(*) FILTER (WHERE reference_count > reference_drift) AS held_lasting,
            lasting_values,
            BOOL_OR(reference_count = 0) AS is_infinite,
            BOOL_OR(
              value_count * CAST(reference_rows AS HUGEINT) * 50000000000000 > class_size * CAST(reference_count AS HUGEINT) * 1004276846159383
              OR class_size * CAST(reference_count AS HUGEINT) * 50000000000000 > value_count * CAST(reference_rows AS HUGEINT) * 1004276846159383
            ) AS fails,
            MAX(GREATEST(
              (value_count / class_size) / NULLIF(reference_count / reference_rows, 0),
              (reference_count / reference_rows) / (value_count / class_size)
            )) AS furthest,
            MAX(GREATEST(
              CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END,
              CASE WHEN least_share > 0 THEN class_size - value_count / least_share ELSE 0 END
            )) AS repair
          FROM (
            SELECT
              *,
              reference_count * (1004276846159383 / 50000000000000) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share,
              (reference_count - reference_drift) / (1004276846159383 / 50000000000000) / reference_rows AS least_share
            FROM compared_2
          ) AS bounded_value
          GROUP BY class_id, class_size, reference_values, lasting_values
        ) AS class_ratio
      ) AS verdict_13
        ON class.class_id = verdict_13.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(
            value_count * CAST(reference_rows AS HUGEINT) * 1 > class_size * CAST(reference_count AS HUGEINT) * 6
            OR value_count * CAST(reference_rows AS HUGEINT) * 1000000000000 > class_size * CAST(reference_count AS HUGEINT) * CAST(FLOOR((1 - COALESCE(LN(NULLIF(reference_count, 0) / reference_rows), 0)) * 1e12) AS HUGEINT)
          ) AS fails,
          CASE
            WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
            ELSE MAX(GREATEST(0, (value_count / class_size) / NULLIF(reference_count / reference_rows, 0) - 1))
          END AS figure,
          MAX(CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END) AS repair
        FROM (
          SELECT
            *,
            drifted_share * LEAST(6 / 1, 1 - COALESCE(LN(NULLIF(drifted_share, 0)), 0)) AS most_share
          FROM (
            SELECT
              *,
              LEAST(1, reference_count / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0)) AS drifted_share
            FROM compared_2
          ) AS drifted_value
        ) AS bounded_value
        GROUP BY class_id, class_size
      ) AS verdict_14
        ON class.class_id = verdict_14.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(value_count * CAST(reference_rows AS HUGEINT) * 1 > class_size * CAST(reference_count AS HUGEINT) * 5) AS fails,
          CASE
            WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
            ELSE MAX((value_count / class_size) / NULLIF(reference_count / reference_rows, 0))
          END AS figure,
          MAX(CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END) AS repair
        FROM (
          SELECT
            *,
            reference_count * (5 / 1) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share
          FROM compared_2
        ) AS bounded_value
        GROUP BY class_id, class_size
      ) AS verdict_15
        ON class.class_id = verdict_15.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) <= 1 AS fails,
          CASE WHEN COUNT(*) <= 1 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_16
        ON class.class_id = verdict_16.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          CASE WHEN COUNT(*) <= 2 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_17
        ON class.class_id = verdict_17.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          CASE WHEN COUNT(DISTINCT group_id) = 1 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM (
          SELECT
            histogram.class_id,
            histogram.class_size,
            value.id_1 AS group_id
          FROM histogram_1 AS histogram
          JOIN value_1 AS value
            ON histogram.value_id = value.id_0
        ) AS class_group
        GROUP BY class_id, class_size
      ) AS verdict_18
        ON class.class_id = verdict_18.class_id
    ) AS judged
  ) AS verdict
  WHERE NOT fails
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
released_class AS MATERIALIZED (
  SELECT class.*
  FROM class
  JOIN (
    WITH
      histogram_1 AS (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          row_count AS value_count
        FROM class_cell_2
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_2
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          1 AS reference_count
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
        FROM histogram_1 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_1 AS total
      ),
      reference_2 AS MATERIALIZED (
        SELECT *
        FROM fixed_1
      ),
      total_2 AS MATERIALIZED (
        SELECT
          CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
          COUNT(*) AS reference_values,
          0 AS vanishing_values,
          0 AS reference_drift,
          COUNT(*) AS lasting_values
        FROM reference_2
      ),
      compared_2 AS MATERIALIZED (
        SELECT
          histogram.*,
          COALESCE(reference.reference_count, 0) AS reference_count,
          total.reference_rows,
          total.reference_values,
          total.vanishing_values,
          total.reference_drift,
          total.lasting_values
        FROM histogram_1 AS histogram
        LEFT JOIN reference_2 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_2 AS total
      ),
      reference_3 AS MATERIALIZED (
        SELECT *
        FROM fixed_2
      ),
      total_3 AS MATERIALIZED (
        SELECT
          CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
          COUNT(*) AS reference_values,
          0 AS vanishing_values,
          0 AS reference_drift,
          COUNT(*) AS lasting_values
        FROM reference_3
      ),
      compared_3 AS MATERIALIZED (
        SELECT
          histogram.*,
          COALESCE(reference.reference_count, 0) AS reference_count,
          total.reference_rows,
          total.reference_values,
          total.vanishing_values,
          total.reference_drift,
          total.lasting_values
        FROM histogram_1 AS histogram
        LEFT JOIN reference_3 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_3 AS total
      )
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 OR fails_7 OR fails_8 OR fails_9 OR fails_10 OR fails_11 OR fails_12 OR fails_13 OR fails_14 OR fails_15 OR fails_16 OR fails_17 OR fails_18 AS fails,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3, repair_4, repair_5, repair_6, repair_7, repair_8, repair_9, repair_10, repair_11, repair_12, repair_13, repair_14, repair_15, repair_16)) AS repair,
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
      fails_6,
      figure_7,
      fails_7,
      figure_8,
      fails_8,
      figure_9,
      fails_9,
      figure_10,
      fails_10,
      figure_11,
      fails_11,
      figure_12,
      fails_12,
      figure_13,
      fails_13,
      figure_14,
      fails_14,
      figure_15,
      fails_15,
      figure_16,
      fails_16,
      figure_17,
      fails_17,
      figure_18,
      fails_18
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        (class_size < 2) OR CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(0.9000000910000000222044627129 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN class_size < 2 THEN class_size
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(0.999999899 AS DOUBLE) AND verdict_3.figure <= 1.7976931348623157e308, FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(1.099999889000000088817833088 AS DOUBLE) AND verdict_4.figure <= 1.7976931348623157e308, FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4,
        verdict_5.figure AS figure_5,
        CASE WHEN verdict_5.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_5.figure <= CAST(30.000003001 AS DOUBLE), FALSE) END AS fails_5,
        CASE
          WHEN NOT COALESCE(verdict_5.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_5,
        verdict_6.figure AS figure_6,
        CASE WHEN verdict_6.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_6,
        CASE
          WHEN NOT COALESCE(verdict_6.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_6,
        verdict_7.figure AS figure_7,
        CASE WHEN verdict_7.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_7.fails, TRUE) OR NOT COALESCE(verdict_7.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_7.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_7,
        CASE
          WHEN NOT COALESCE(verdict_7.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_7.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_7,
        verdict_8.figure AS figure_8,
        CASE WHEN verdict_8.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_8.fails, TRUE) OR NOT COALESCE(verdict_8.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_8.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_8,
        CASE
          WHEN NOT COALESCE(verdict_8.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_8.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_8,
        verdict_9.figure AS figure_9,
        CASE WHEN verdict_9.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_9.fails, TRUE) OR NOT COALESCE(verdict_9.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_9.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_9,
        CASE
          WHEN NOT COALESCE(verdict_9.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_9.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_9,
        verdict_10.figure AS figure_10,
        CASE WHEN verdict_10.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_10.fails, TRUE) OR NOT COALESCE(verdict_10.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_10.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_10,
        CASE
          WHEN NOT COALESCE(verdict_10.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_10.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_10,
        verdict_11.figure AS figure_11,
        CASE WHEN verdict_11.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_11.fails, TRUE) OR NOT COALESCE(verdict_11.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_11.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_11,
        CASE
          WHEN NOT COALESCE(verdict_11.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_11.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_11,
        verdict_12.figure AS figure_12,
        CASE WHEN verdict_12.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_12.fails, TRUE) OR NOT COALESCE(verdict_12.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_12.figure <= CAST(3.000000301 AS DOUBLE), FALSE) END AS fails_12,
        CASE
          WHEN NOT COALESCE(verdict_12.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_12.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_12,
        verdict_13.figure AS figure_13,
        CASE WHEN verdict_13.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_13.fails, TRUE) OR NOT COALESCE(verdict_13.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_13.figure <= CAST(3.000000301 AS DOUBLE), FALSE) END AS fails_13,
        CASE
          WHEN NOT COALESCE(verdict_13.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_13.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_13,
        verdict_14.figure AS figure_14,
        CASE WHEN verdict_14.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_14.fails, TRUE) OR NOT COALESCE(verdict_14.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_14.figure <= CAST(5.000000501 AS DOUBLE), FALSE) END AS fails_14,
        CASE
          WHEN NOT COALESCE(verdict_14.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_14.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_14,
        verdict_15.figure AS figure_15,
        CASE WHEN verdict_15.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_15.fails, TRUE) OR NOT COALESCE(verdict_15.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_15.figure <= CAST(5.000000501 AS DOUBLE), FALSE) END AS fails_15,
        CASE
          WHEN NOT COALESCE(verdict_15.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_15.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_15,
        verdict_16.figure AS figure_16,
        CASE WHEN verdict_16.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_16.fails, TRUE) OR NOT COALESCE(verdict_16.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_16.figure <= CAST(0.000000001 AS DOUBLE), FALSE) END AS fails_16,
        CASE
          WHEN NOT COALESCE(verdict_16.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_16.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_16,
        verdict_17.figure AS figure_17,
        CASE WHEN verdict_17.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_17.fails, TRUE) OR NOT COALESCE(verdict_17.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_17.figure <= 1.7976931348623157e308, FALSE) END AS fails_17,
        CASE
          WHEN NOT COALESCE(verdict_17.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_17.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_17,
        verdict_18.figure AS figure_18,
        CASE WHEN verdict_18.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_18.fails, TRUE) OR NOT COALESCE(verdict_18.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_18.figure <= 1.7976931348623157e308, FALSE) END AS fails_18,
        CASE
          WHEN NOT COALESCE(verdict_18.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_18.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_18
      FROM class_2 AS class
      LEFT JOIN (
        SELECT
          class_id,
          largest * 10 > 9 * CAST(class_size AS HUGEINT) AS fails,
          largest / class_size AS figure,
          (largest * 10 - class_size * CAST(9 AS HUGEINT)) / 1 AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            CAST(COALESCE(MAX(value_count) FILTER (WHERE value_id IN (
              SELECT id_0
              FROM value_1
              WHERE value IN (TRY_CAST('flu' AS VARCHAR))
            )), 0) AS HUGEINT) AS largest
          FROM histogram_1
          GROUP BY class_id, class_size
        ) AS class_share
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 1 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          class_size * entropy < class_size * LN(1.1) * (1 - 1e-9) AS fails,
          EXP(entropy) AS figure,
          class_size * (1 - 2e-9 - entropy / LN(1.1)) AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            GREATEST(0, LN(class_size) - SUM(value_count * LN(value_count)) / class_size) AS entropy
          FROM histogram_1
          GROUP BY class_id, class_size
        ) AS class_entropy
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
      LEFT JOIN (
        SELECT
          verdict.class_id,
          verdict.fails OR rarest * 100 < 1 * CAST(class_size AS HUGEINT) AS fails,
          verdict.figure,
          GREATEST(verdict.repair, class_size - rarest / (1 / 100)) AS repair
        FROM (
          SELECT
            class_id,
            COALESCE(CAST(leading_count AS HUGEINT) * 1 >= 30 * CAST(tail AS HUGEINT), FALSE) AS fails,
            CASE
              WHEN leading_count IS NULL THEN 0
              WHEN tail = 0 THEN CAST('infinity' AS DOUBLE)
              ELSE leading_count / tail
            END AS figure,
            GREATEST(COALESCE(leading_count - tail * (30 / 1), 0), 0) AS repair
          FROM (
            SELECT
              class_id,
              CAST(leading_count AS HUGEINT) AS leading_count,
              CAST(CASE
                WHEN LEN(largest) < 1 OR leading_count >= largest[1] THEN class_size - LIST_SUM(largest)
                ELSE class_size - LIST_SUM(largest) + largest[1] - leading_count
              END AS HUGEINT) AS tail
            FROM (
              SELECT
                class_id,
                class_size,
                MAX(value_count) FILTER (WHERE value_id NOT IN (
                  SELECT id_0
                  FROM value_1
                  WHERE value IN (TRY_CAST('flu' AS VARCHAR))
                )) AS leading_count,
                MAX(value_count, 1) AS largest
              FROM histogram_1
              GROUP BY class_id, class_size
            ) AS class_count
          ) AS class_tail
        ) AS verdict
        JOIN (
          SELECT
            class_id,
            class_size,
            CAST(CASE
              WHEN COUNT(*) FILTER (WHERE value_id IN (
                SELECT id_0
                FROM value_1
                WHERE value IN (TRY_CAST('flu' AS VARCHAR))
              )) < 1 THEN 0
              ELSE MIN(value_count) FILTER (WHERE value_id IN (
                SELECT id_0
                FROM value_1
                WHERE value IN (TRY_CAST('flu' AS VARCHAR))
              ))
            END AS HUGEINT) AS rarest
          FROM histogram_1
          GROUP BY class_id, class_size
        ) AS protected_count
          ON verdict.class_id = protected_count.class_id
      ) AS verdict_5
        ON class.class_id = verdict_5.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
              SUM(ABS(CAST(reference_rows AS HUGEINT) * value_count - CAST(class_size AS HUGEINT) * reference_count))
                + CAST(class_size AS HUGEINT) * (reference_rows - CAST(SUM(reference_count) AS BIGINT)) AS work,
              CAST(2 AS HUGEINT) * class_size * reference_rows AS unit
            FROM compared_1
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict_6
        ON class.class_id = verdict_6.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
                  LEFT JOIN reference_2 AS reference
                    ON value.id_0 = reference.value_id
                  WHERE reference.reference_count > 0
                    OR value.id_0 IN (SELECT value_id FROM histogram_1)
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
                  CROSS JOIN total_2 AS total
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
                  CROSS JOIN total_2 AS total
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
            CROSS JOIN total_2 AS total
            CROSS JOIN (SELECT MAX(place) AS last_place, MAX(prefix_before + cumulative) AS last_prefix FROM position) AS last_position
          ) AS class_work
        ) AS class_distance
      ) AS verdict_7
        ON class.class_id = verdict_7.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
              SUM(ABS(CAST(reference_rows AS HUGEINT) * cut_count - CAST(class_size AS HUGEINT) * reference_count))
                + CAST(class_size AS HUGEINT) * (2 * CAST(reference_rows AS HUGEINT) - SUM(reference_count)) AS work,
              CAST(4 AS HUGEINT) * class_size * reference_rows AS unit
            FROM (
              SELECT
                class_cut.*,
                COALESCE(reference_cut.reference_count, 0) AS reference_count
              FROM (
                SELECT
                  histogram.class_id,
                  histogram.class_size,
                  histogram.reference_rows,
                  histogram.reference_values,
                  histogram.reference_drift,
                  histogram.vanishing_values,
                  0 AS level,
                  value.id_0 AS cut_id,
                  CAST(SUM(histogram.value_count) AS BIGINT) AS cut_count
                FROM compared_2 AS histogram
                JOIN value_1 AS value
                  ON histogram.value_id = value.id_0
                GROUP BY histogram.class_id, histogram.class_size, histogram.reference_rows, histogram.reference_values, histogram.reference_drift, histogram.vanishing_values, value.id_0
                UNION ALL
                SELECT
                  histogram.class_id,
                  histogram.class_size,
                  histogram.reference_rows,
                  histogram.reference_values,
                  histogram.reference_drift,
                  histogram.vanishing_values,
                  1 AS level,
                  value.id_1 AS cut_id,
                  CAST(SUM(histogram.value_count) AS BIGINT) AS cut_count
                FROM compared_2 AS histogram
                JOIN value_1 AS value
                  ON histogram.value_id = value.id_0
                GROUP BY histogram.class_id, histogram.class_size, histogram.reference_rows, histogram.reference_values, histogram.reference_drift, histogram.vanishing_values, value.id_1
              ) AS class_cut
              LEFT JOIN (
                SELECT
                  0 AS level,
                  value.id_0 AS cut_id,
                  CAST(SUM(reference.reference_count) AS BIGINT) AS reference_count
                FROM reference_2 AS reference
                JOIN value_1 AS value
                  ON reference.value_id = value.id_0
                GROUP BY value.id_0
                UNION ALL
                SELECT
                  1 AS level,
                  value.id_1 AS cut_id,
                  CAST(SUM(reference.reference_count) AS BIGINT) AS reference_count
                FROM reference_2 AS reference
                JOIN value_1 AS value
                  ON reference.value_id = value.id_0
                GROUP BY value.id_1
              ) AS reference_cut
                ON class_cut.level = reference_cut.level
                AND class_cut.cut_id = reference_cut.cut_id
            ) AS compared_cut
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict_8
        ON class.class_id = verdict_8.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
              SUM(ABS(CAST(reference_rows AS HUGEINT) * value_count - CAST(class_size AS HUGEINT) * reference_count))
                + CAST(class_size AS HUGEINT) * (reference_rows - CAST(SUM(reference_count) AS BIGINT)) AS work,
              CAST(2 AS HUGEINT) * class_size * reference_rows AS unit
            FROM compared_2
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict_9
        ON class.class_id = verdict_9.class_id
      LEFT JOIN (
        SELECT
          class_id,
          distance > 0.5 * (1 + 1e-9) AS fails,
          distance AS figure,
          CASE WHEN distance < CAST('infinity' AS DOUBLE) AND most > 0.5 THEN class_size * (distance - 0.5 * (1 + 2e-9)) / (most - 0.5) ELSE 0 END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            CASE
              WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
              ELSE GREATEST(0, SUM(value_count * (LN(value_count / class_size) - LN(NULLIF(reference_count, 0) / reference_rows))) / class_size)
            END AS distance,
            LN(reference_rows / (SELECT MIN(reference_count) FROM reference_3 WHERE reference_count > 0)) AS most
          FROM compared_3
          GROUP BY class_id, class_size, reference_rows
        ) AS class_distance
      ) AS verdict_10
        ON class.class_id = verdict_10.class_id
      LEFT JOIN (
        SELECT
          class_id,
          distance > 0.5 * (1 + 1e-9) AS fails,
          distance AS figure,
          CASE WHEN distance < CAST('infinity' AS DOUBLE) AND most > 0.5 THEN class_size * (distance - 0.5 * (1 + 2e-9)) / (most - 0.5) ELSE 0 END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            CASE WHEN reference_rows > 0 THEN GREATEST(0, (
              SUM(share * LN(2 * share / (share + reference_share)))
              + COALESCE(SUM(reference_share * LN(2 * NULLIF(reference_share, 0) / (share + reference_share))), 0)
              + (reference_rows - SUM(reference_count)) / reference_rows * LN(2)
            ) / 2) END AS distance,
            LN(2) AS most
          FROM (
            SELECT
              *,
              value_count / class_size AS share,
              reference_count / reference_rows AS reference_share
            FROM compared_2
          ) AS share
          GROUP BY class_id, class_size, reference_rows
        ) AS class_distance
      ) AS verdict_11
        ON class.class_id = verdict_11.class_id
      LEFT JOIN (
        SELECT
          class_id,
          fails OR held_values < reference_values AS fails,
          CASE WHEN is_infinite OR held_values < reference_values THEN CAST('infinity' AS DOUBLE) ELSE LN(NULLIF(furthest, 0)) END AS figure,
          CASE WHEN held_lasting < lasting_values THEN class_size ELSE repair END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            reference_values,
            COUNT(*) FILTER (WHERE reference_count > 0) AS held_values,
            COUNT(*) FILTER (WHERE reference_count > reference_drift) AS held_lasting,
            lasting_values,
            BOOL_OR(reference_count = 0) AS is_infinite,
            BOOL_OR(
              value_count * CAST(reference_rows AS HUGEINT) * 50000000000000 > class_size * CAST(reference_count AS HUGEINT) * 1004276846159383
              OR class_size * CAST(reference_count AS HUGEINT) * 50000000000000 > value_count * CAST(reference_rows AS HUGEINT) * 1004276846159383
            ) AS fails,
            MAX(GREATEST(
              (value_count / class_size) / NULLIF(reference_count / reference_rows, 0),
              (reference_count / reference_rows) / (value_count / class_size)
            )) AS furthest,
            MAX(GREATEST(
              CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END,
              CASE WHEN least_share > 0 THEN class_size - value_count / least_share ELSE 0 END
            )) AS repair
          FROM (
            SELECT
              *,
              reference_count * (1004276846159383 / 50000000000000) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share,
              (reference_count - reference_drift) / (1004276846159383 / 50000000000000) / reference_rows AS least_share
            FROM compared_2
          ) AS bounded_value
          GROUP BY class_id, class_size, reference_values, lasting_values
        ) AS class_ratio
      ) AS verdict_12
        ON class.class_id = verdict_12.class_id
      LEFT JOIN (
        SELECT
          class_id,
          fails OR held_values < reference_values AS fails,
          CASE WHEN is_infinite OR held_values < reference_values THEN CAST('infinity' AS DOUBLE) ELSE LN(NULLIF(furthest, 0)) END AS figure,
          CASE WHEN held_lasting < lasting_values THEN class_size ELSE repair END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            reference_values,
            COUNT(*) FILTER (WHERE reference_count > 0) AS held_values,
            COUNT(*) FILTER (WHERE reference_count > reference_drift) AS held_lasting,
            lasting_values,
            BOOL_OR(reference_count = 0) AS is_infinite,
            BOOL_OR(
              value_count * CAST(reference_rows AS HUGEINT) * 50000000000000 > class_size * CAST(reference_count AS HUGEINT) * 1004276846159383
              OR class_size * CAST(reference_count AS HUGEINT) * 50000000000000 > value_count * CAST(reference_rows AS HUGEINT) * 1004276846159383
            ) AS fails,
            MAX(GREATEST(
              (value_count / class_size) / NULLIF(reference_count / reference_rows, 0),
              (reference_count / reference_rows) / (value_count / class_size)
            )) AS furthest,
            MAX(GREATEST(
              CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END,
              CASE WHEN least_share > 0 THEN class_size - value_count / least_share ELSE 0 END
            )) AS repair
          FROM (
            SELECT
              *,
              reference_count * (1004276846159383 / 50000000000000) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share,
              (reference_count - reference_drift) / (1004276846159383 / 50000000000000) / reference_rows AS least_share
            FROM compared_2
          ) AS bounded_value
          GROUP BY class_id, class_size, reference_values, lasting_values
        ) AS class_ratio
      ) AS verdict_13
        ON class.class_id = verdict_13.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(
            value_count * CAST(reference_rows AS HUGEINT) * 1 > class_size * CAST(reference_count AS HUGEINT) * 6
            OR value_count * CAST(reference_rows AS HUGEINT) * 1000000000000 > class_size * CAST(reference_count AS HUGEINT) * CAST(FLOOR((1 - COALESCE(LN(NULLIF(reference_count, 0) / reference_rows), 0)) * 1e12) AS HUGEINT)
          ) AS fails,
          CASE
            WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
            ELSE MAX(GREATEST(0, (value_count / class_size) / NULLIF(reference_count / reference_rows, 0) - 1))
          END AS figure,
          MAX(CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END) AS repair
        FROM (
          SELECT
            *,
            drifted_share * LEAST(6 / 1, 1 - COALESCE(LN(NULLIF(drifted_share, 0)), 0)) AS most_share
          FROM (
            SELECT
              *,
              LEAST(1, reference_count / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0)) AS drifted_share
            FROM compared_2
          ) AS drifted_value
        ) AS bounded_value
        GROUP BY class_id, class_size
      ) AS verdict_14
        ON class.class_id = verdict_14.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(value_count * CAST(reference_rows AS HUGEINT) * 1 > class_size * CAST(reference_count AS HUGEINT) * 5) AS fails,
          CASE
            WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
            ELSE MAX((value_count / class_size) / NULLIF(reference_count / reference_rows, 0))
          END AS figure,
          MAX(CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END) AS repair
        FROM (
          SELECT
            *,
            reference_count * (5 / 1) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share
          FROM compared_2
        ) AS bounded_value
        GROUP BY class_id, class_size
      ) AS verdict_15
        ON class.class_id = verdict_15.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) <= 1 AS fails,
          CASE WHEN COUNT(*) <= 1 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_16
        ON class.class_id = verdict_16.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          CASE WHEN COUNT(*) <= 2 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_17
        ON class.class_id = verdict_17.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          CASE WHEN COUNT(DISTINCT group_id) = 1 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM (
          SELECT
            histogram.class_id,
            histogram.class_size,
            value.id_1 AS group_id
          FROM histogram_1 AS histogram
          JOIN value_1 AS value
            ON histogram.value_id = value.id_0
        ) AS class_group
        GROUP BY class_id, class_size
      ) AS verdict_18
        ON class.class_id = verdict_18.class_id
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
  measured.measured_7 AS measured_7,
  measured.failing_classes_7 AS failing_classes_7,
  measured.failing_rows_7 AS failing_rows_7,
  measured.figures_7 AS figures_7,
  measured.measured_8 AS measured_8,
  measured.failing_classes_8 AS failing_classes_8,
  measured.failing_rows_8 AS failing_rows_8,
  measured.figures_8 AS figures_8,
  measured.measured_9 AS measured_9,
  measured.failing_classes_9 AS failing_classes_9,
  measured.failing_rows_9 AS failing_rows_9,
  measured.figures_9 AS figures_9,
  measured.measured_10 AS measured_10,
  measured.failing_classes_10 AS failing_classes_10,
  measured.failing_rows_10 AS failing_rows_10,
  measured.figures_10 AS figures_10,
  measured.measured_11 AS measured_11,
  measured.failing_classes_11 AS failing_classes_11,
  measured.failing_rows_11 AS failing_rows_11,
  measured.figures_11 AS figures_11,
  measured.measured_12 AS measured_12,
  measured.failing_classes_12 AS failing_classes_12,
  measured.failing_rows_12 AS failing_rows_12,
  measured.figures_12 AS figures_12,
  measured.measured_13 AS measured_13,
  measured.failing_classes_13 AS failing_classes_13,
  measured.failing_rows_13 AS failing_rows_13,
  measured.figures_13 AS figures_13,
  measured.measured_14 AS measured_14,
  measured.failing_classes_14 AS failing_classes_14,
  measured.failing_rows_14 AS failing_rows_14,
  measured.figures_14 AS figures_14,
  measured.measured_15 AS measured_15,
  measured.failing_classes_15 AS failing_classes_15,
  measured.failing_rows_15 AS failing_rows_15,
  measured.figures_15 AS figures_15,
  measured.measured_16 AS measured_16,
  measured.failing_classes_16 AS failing_classes_16,
  measured.failing_rows_16 AS failing_rows_16,
  measured.figures_16 AS figures_16,
  measured.measured_17 AS measured_17,
  measured.failing_classes_17 AS failing_classes_17,
  measured.failing_rows_17 AS failing_rows_17,
  measured.figures_17 AS figures_17,
  measured.measured_18 AS measured_18,
  measured.failing_classes_18 AS failing_classes_18,
  measured.failing_rows_18 AS failing_rows_18,
  measured.figures_18 AS figures_18,
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
        FROM "clinic"."main"."patients"
        UNION ALL
        SELECT CAST("disease" AS VARCHAR) AS "disease"
        FROM "clinic"."main"."priors"
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
        FROM "clinic"."main"."patients"
        UNION ALL
        SELECT CAST("disease" AS VARCHAR) AS "disease"
        FROM "clinic"."main"."priors"
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
        FROM "clinic"."main"."patients"
        UNION ALL
        SELECT CAST("disease" AS VARCHAR) AS "disease"
        FROM "clinic"."main"."priors"
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
  0 AS empty_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released') AS release_object
FROM (
  WITH
  cell AS MATERIALIZED (
    SELECT
      CAST("audited"."zip" AS VARCHAR) COLLATE C AS q1,
      "audited"."age" AS q2,
      CAST("audited"."disease" AS VARCHAR) COLLATE C AS s1,
      COUNT(*) AS row_count
    FROM "clinic"."main"."released" AS audited
    GROUP BY CAST("audited"."zip" AS VARCHAR) COLLATE C, "audited"."age", CAST("audited"."disease" AS VARCHAR) COLLATE C
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
      FROM "clinic"."main"."patients"
      UNION ALL
      SELECT CAST("disease" AS VARCHAR) AS "disease"
      FROM "clinic"."main"."priors"
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
  fixed_1 AS MATERIALIZED (
    SELECT
      value_1.id_0 AS value_id,
      CAST(SUM(1) AS BIGINT) AS reference_count
    FROM "clinic"."main"."patients" AS referred
    JOIN value_1 AS value_1
      ON CAST(CAST("referred"."disease" AS VARCHAR) COLLATE C AS VARCHAR) IS NOT DISTINCT FROM value_1.value
    GROUP BY value_1.id_0
    HAVING SUM(1) > 0
  ),
  fixed_2 AS MATERIALIZED (
    SELECT
      value_1.id_0 AS value_id,
      CAST(SUM(CAST(referred."weight" * 10 AS HUGEINT)) AS BIGINT) AS reference_count
    FROM "clinic"."main"."priors" AS referred
    JOIN value_1 AS value_1
      ON CAST(CAST("referred"."disease" AS VARCHAR) COLLATE C AS VARCHAR) IS NOT DISTINCT FROM value_1.value
    GROUP BY value_1.id_0
    HAVING SUM(CAST(referred."weight" * 10 AS HUGEINT)) > 0
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
    COALESCE(MAX(figure_2), 0) AS measured_2,
    COUNT(*) FILTER (WHERE fails_2) AS failing_classes_2,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_2), 0) AS BIGINT) AS failing_rows_2,
    QUANTILE_DISC(figure_2, [0, 0.25, 0.5, 0.75, 1]) AS figures_2,
    COALESCE(MIN(figure_3), 0) AS measured_3,
    COUNT(*) FILTER (WHERE fails_3) AS failing_classes_3,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_3), 0) AS BIGINT) AS failing_rows_3,
    QUANTILE_DISC(figure_3, [0, 0.25, 0.5, 0.75, 1]) AS figures_3,
    COALESCE(MIN(figure_4), 0) AS measured_4,
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
    QUANTILE_DISC(figure_6, [0, 0.25, 0.5, 0.75, 1]) AS figures_6,
    COALESCE(MAX(figure_7), 0) AS measured_7,
    COUNT(*) FILTER (WHERE fails_7) AS failing_classes_7,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_7), 0) AS BIGINT) AS failing_rows_7,
    QUANTILE_DISC(figure_7, [0, 0.25, 0.5, 0.75, 1]) AS figures_7,
    COALESCE(MAX(figure_8), 0) AS measured_8,
    COUNT(*) FILTER (WHERE fails_8) AS failing_classes_8,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_8), 0) AS BIGINT) AS failing_rows_8,
    QUANTILE_DISC(figure_8, [0, 0.25, 0.5, 0.75, 1]) AS figures_8,
    COALESCE(MAX(figure_9), 0) AS measured_9,
    COUNT(*) FILTER (WHERE fails_9) AS failing_classes_9,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_9), 0) AS BIGINT) AS failing_rows_9,
    QUANTILE_DISC(figure_9, [0, 0.25, 0.5, 0.75, 1]) AS figures_9,
    COALESCE(MAX(figure_10), 0) AS measured_10,
    COUNT(*) FILTER (WHERE fails_10) AS failing_classes_10,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_10), 0) AS BIGINT) AS failing_rows_10,
    QUANTILE_DISC(figure_10, [0, 0.25, 0.5, 0.75, 1]) AS figures_10,
    COALESCE(MAX(figure_11), 0) AS measured_11,
    COUNT(*) FILTER (WHERE fails_11) AS failing_classes_11,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_11), 0) AS BIGINT) AS failing_rows_11,
    QUANTILE_DISC(figure_11, [0, 0.25, 0.5, 0.75, 1]) AS figures_11,
    COALESCE(MAX(figure_12), 0) AS measured_12,
    COUNT(*) FILTER (WHERE fails_12) AS failing_classes_12,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_12), 0) AS BIGINT) AS failing_rows_12,
    QUANTILE_DISC(figure_12, [0, 0.25, 0.5, 0.75, 1]) AS figures_12,
    COALESCE(MAX(figure_13), 0) AS measured_13,
    COUNT(*) FILTER (WHERE fails_13) AS failing_classes_13,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_13), 0) AS BIGINT) AS failing_rows_13,
    QUANTILE_DISC(figure_13, [0, 0.25, 0.5, 0.75, 1]) AS figures_13,
    COALESCE(MAX(figure_14), 0) AS measured_14,
    COUNT(*) FILTER (WHERE fails_14) AS failing_classes_14,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_14), 0) AS BIGINT) AS failing_rows_14,
    QUANTILE_DISC(figure_14, [0, 0.25, 0.5, 0.75, 1]) AS figures_14,
    COALESCE(MAX(figure_15), 0) AS measured_15,
    COUNT(*) FILTER (WHERE fails_15) AS failing_classes_15,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_15), 0) AS BIGINT) AS failing_rows_15,
    QUANTILE_DISC(figure_15, [0, 0.25, 0.5, 0.75, 1]) AS figures_15,
    COALESCE(SUM(figure_16)::BIGINT, 0) AS measured_16,
    COUNT(*) FILTER (WHERE fails_16) AS failing_classes_16,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_16), 0) AS BIGINT) AS failing_rows_16,
    QUANTILE_DISC(figure_16, [0, 0.25, 0.5, 0.75, 1]) AS figures_16,
    COALESCE(SUM(figure_17)::BIGINT, 0) AS measured_17,
    COUNT(*) FILTER (WHERE fails_17) AS failing_classes_17,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_17), 0) AS BIGINT) AS failing_rows_17,
    QUANTILE_DISC(figure_17, [0, 0.25, 0.5, 0.75, 1]) AS figures_17,
    COALESCE(SUM(figure_18)::BIGINT, 0) AS measured_18,
    COUNT(*) FILTER (WHERE fails_18) AS failing_classes_18,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_18), 0) AS BIGINT) AS failing_rows_18,
    QUANTILE_DISC(figure_18, [0, 0.25, 0.5, 0.75, 1]) AS figures_18
  FROM (
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
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          1 AS reference_count
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
        FROM histogram_1 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_1 AS total
      ),
      reference_2 AS MATERIALIZED (
        SELECT *
        FROM fixed_1
      ),
      total_2 AS MATERIALIZED (
        SELECT
          CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
          COUNT(*) AS reference_values,
          0 AS vanishing_values,
          0 AS reference_drift,
          COUNT(*) AS lasting_values
        FROM reference_2
      ),
      compared_2 AS MATERIALIZED (
        SELECT
          histogram.*,
          COALESCE(reference.reference_count, 0) AS reference_count,
          total.reference_rows,
          total.reference_values,
          total.vanishing_values,
          total.reference_drift,
          total.lasting_values
        FROM histogram_1 AS histogram
        LEFT JOIN reference_2 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_2 AS total
      ),
      reference_3 AS MATERIALIZED (
        SELECT *
        FROM fixed_2
      ),
      total_3 AS MATERIALIZED (
        SELECT
          CAST(SUM(reference_count) AS BIGINT) AS reference_rows,
          COUNT(*) AS reference_values,
          0 AS vanishing_values,
          0 AS reference_drift,
          COUNT(*) AS lasting_values
        FROM reference_3
      ),
      compared_3 AS MATERIALIZED (
        SELECT
          histogram.*,
          COALESCE(reference.reference_count, 0) AS reference_count,
          total.reference_rows,
          total.reference_values,
          total.vanishing_values,
          total.reference_drift,
          total.lasting_values
        FROM histogram_1 AS histogram
        LEFT JOIN reference_3 AS reference
          ON histogram.value_id = reference.value_id
        CROSS JOIN total_3 AS total
      )
    SELECT
      class_id,
      class_size,
      fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 OR fails_7 OR fails_8 OR fails_9 OR fails_10 OR fails_11 OR fails_12 OR fails_13 OR fails_14 OR fails_15 OR fails_16 OR fails_17 OR fails_18 AS fails,
      LEAST(class_size, GREATEST(0, repair_1, repair_2, repair_3, repair_4, repair_5, repair_6, repair_7, repair_8, repair_9, repair_10, repair_11, repair_12, repair_13, repair_14, repair_15, repair_16)) AS repair,
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
      fails_6,
      figure_7,
      fails_7,
      figure_8,
      fails_8,
      figure_9,
      fails_9,
      figure_10,
      fails_10,
      figure_11,
      fails_11,
      figure_12,
      fails_12,
      figure_13,
      fails_13,
      figure_14,
      fails_14,
      figure_15,
      fails_15,
      figure_16,
      fails_16,
      figure_17,
      fails_17,
      figure_18,
      fails_18
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        (class_size < 2) OR CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(0.9000000910000000222044627129 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN class_size < 2 THEN class_size
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(0.999999899 AS DOUBLE) AND verdict_3.figure <= 1.7976931348623157e308, FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3,
        verdict_4.figure AS figure_4,
        CASE WHEN verdict_4.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(1.099999889000000088817833088 AS DOUBLE) AND verdict_4.figure <= 1.7976931348623157e308, FALSE) END AS fails_4,
        CASE
          WHEN NOT COALESCE(verdict_4.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_4,
        verdict_5.figure AS figure_5,
        CASE WHEN verdict_5.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_5.figure <= CAST(30.000003001 AS DOUBLE), FALSE) END AS fails_5,
        CASE
          WHEN NOT COALESCE(verdict_5.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_5,
        verdict_6.figure AS figure_6,
        CASE WHEN verdict_6.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_6,
        CASE
          WHEN NOT COALESCE(verdict_6.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_6,
        verdict_7.figure AS figure_7,
        CASE WHEN verdict_7.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_7.fails, TRUE) OR NOT COALESCE(verdict_7.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_7.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_7,
        CASE
          WHEN NOT COALESCE(verdict_7.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_7.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_7,
        verdict_8.figure AS figure_8,
        CASE WHEN verdict_8.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_8.fails, TRUE) OR NOT COALESCE(verdict_8.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_8.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_8,
        CASE
          WHEN NOT COALESCE(verdict_8.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_8.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_8,
        verdict_9.figure AS figure_9,
        CASE WHEN verdict_9.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_9.fails, TRUE) OR NOT COALESCE(verdict_9.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_9.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_9,
        CASE
          WHEN NOT COALESCE(verdict_9.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_9.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_9,
        verdict_10.figure AS figure_10,
        CASE WHEN verdict_10.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_10.fails, TRUE) OR NOT COALESCE(verdict_10.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_10.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_10,
        CASE
          WHEN NOT COALESCE(verdict_10.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_10.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_10,
        verdict_11.figure AS figure_11,
        CASE WHEN verdict_11.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_11.fails, TRUE) OR NOT COALESCE(verdict_11.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_11.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_11,
        CASE
          WHEN NOT COALESCE(verdict_11.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_11.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_11,
        verdict_12.figure AS figure_12,
        CASE WHEN verdict_12.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_12.fails, TRUE) OR NOT COALESCE(verdict_12.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_12.figure <= CAST(3.000000301 AS DOUBLE), FALSE) END AS fails_12,
        CASE
          WHEN NOT COALESCE(verdict_12.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_12.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_12,
        verdict_13.figure AS figure_13,
        CASE WHEN verdict_13.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_13.fails, TRUE) OR NOT COALESCE(verdict_13.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_13.figure <= CAST(3.000000301 AS DOUBLE), FALSE) END AS fails_13,
        CASE
          WHEN NOT COALESCE(verdict_13.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_13.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_13,
        verdict_14.figure AS figure_14,
        CASE WHEN verdict_14.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_14.fails, TRUE) OR NOT COALESCE(verdict_14.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_14.figure <= CAST(5.000000501 AS DOUBLE), FALSE) END AS fails_14,
        CASE
          WHEN NOT COALESCE(verdict_14.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_14.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_14,
        verdict_15.figure AS figure_15,
        CASE WHEN verdict_15.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_15.fails, TRUE) OR NOT COALESCE(verdict_15.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_15.figure <= CAST(5.000000501 AS DOUBLE), FALSE) END AS fails_15,
        CASE
          WHEN NOT COALESCE(verdict_15.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_15.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_15,
        verdict_16.figure AS figure_16,
        CASE WHEN verdict_16.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_16.fails, TRUE) OR NOT COALESCE(verdict_16.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_16.figure <= CAST(0.000000001 AS DOUBLE), FALSE) END AS fails_16,
        CASE
          WHEN NOT COALESCE(verdict_16.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_16.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_16,
        verdict_17.figure AS figure_17,
        CASE WHEN verdict_17.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_17.fails, TRUE) OR NOT COALESCE(verdict_17.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_17.figure <= 1.7976931348623157e308, FALSE) END AS fails_17,
        CASE
          WHEN NOT COALESCE(verdict_17.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_17.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_17,
        verdict_18.figure AS figure_18,
        CASE WHEN verdict_18.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_18.fails, TRUE) OR NOT COALESCE(verdict_18.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_18.figure <= 1.7976931348623157e308, FALSE) END AS fails_18,
        CASE
          WHEN NOT COALESCE(verdict_18.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_18.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_18
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class_id,
          largest * 10 > 9 * CAST(class_size AS HUGEINT) AS fails,
          largest / class_size AS figure,
          (largest * 10 - class_size * CAST(9 AS HUGEINT)) / 1 AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            CAST(COALESCE(MAX(value_count) FILTER (WHERE value_id IN (
              SELECT id_0
              FROM value_1
              WHERE value IN (TRY_CAST('flu' AS VARCHAR))
            )), 0) AS HUGEINT) AS largest
          FROM histogram_1
          GROUP BY class_id, class_size
        ) AS class_share
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 1 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
      LEFT JOIN (
        SELECT
          class_id,
          class_size * entropy < class_size * LN(1.1) * (1 - 1e-9) AS fails,
          EXP(entropy) AS figure,
          class_size * (1 - 2e-9 - entropy / LN(1.1)) AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            GREATEST(0, LN(class_size) - SUM(value_count * LN(value_count)) / class_size) AS entropy
          FROM histogram_1
          GROUP BY class_id, class_size
        ) AS class_entropy
      ) AS verdict_4
        ON class.class_id = verdict_4.class_id
      LEFT JOIN (
        SELECT
          verdict.class_id,
          verdict.fails OR rarest * 100 < 1 * CAST(class_size AS HUGEINT) AS fails,
          verdict.figure,
          GREATEST(verdict.repair, class_size - rarest / (1 / 100)) AS repair
        FROM (
          SELECT
            class_id,
            COALESCE(CAST(leading_count AS HUGEINT) * 1 >= 30 * CAST(tail AS HUGEINT), FALSE) AS fails,
            CASE
              WHEN leading_count IS NULL THEN 0
              WHEN tail = 0 THEN CAST('infinity' AS DOUBLE)
              ELSE leading_count / tail
            END AS figure,
            GREATEST(COALESCE(leading_count - tail * (30 / 1), 0), 0) AS repair
          FROM (
            SELECT
              class_id,
              CAST(leading_count AS HUGEINT) AS leading_count,
              CAST(CASE
                WHEN LEN(largest) < 1 OR leading_count >= largest[1] THEN class_size - LIST_SUM(largest)
                ELSE class_size - LIST_SUM(largest) + largest[1] - leading_count
              END AS HUGEINT) AS tail
            FROM (
              SELECT
                class_id,
                class_size,
                MAX(value_count) FILTER (WHERE value_id NOT IN (
                  SELECT id_0
                  FROM value_1
                  WHERE value IN (TRY_CAST('flu' AS VARCHAR))
                )) AS leading_count,
                MAX(value_count, 1) AS largest
              FROM histogram_1
              GROUP BY class_id, class_size
            ) AS class_count
          ) AS class_tail
        ) AS verdict
        JOIN (
          SELECT
            class_id,
            class_size,
            CAST(CASE
              WHEN COUNT(*) FILTER (WHERE value_id IN (
                SELECT id_0
                FROM value_1
                WHERE value IN (TRY_CAST('flu' AS VARCHAR))
              )) < 1 THEN 0
              ELSE MIN(value_count) FILTER (WHERE value_id IN (
                SELECT id_0
                FROM value_1
                WHERE value IN (TRY_CAST('flu' AS VARCHAR))
              ))
            END AS HUGEINT) AS rarest
          FROM histogram_1
          GROUP BY class_id, class_size
        ) AS protected_count
          ON verdict.class_id = protected_count.class_id
      ) AS verdict_5
        ON class.class_id = verdict_5.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
              SUM(ABS(CAST(reference_rows AS HUGEINT) * value_count - CAST(class_size AS HUGEINT) * reference_count))
                + CAST(class_size AS HUGEINT) * (reference_rows - CAST(SUM(reference_count) AS BIGINT)) AS work,
              CAST(2 AS HUGEINT) * class_size * reference_rows AS unit
            FROM compared_1
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict_6
        ON class.class_id = verdict_6.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
                  LEFT JOIN reference_2 AS reference
                    ON value.id_0 = reference.value_id
                  WHERE reference.reference_count > 0
                    OR value.id_0 IN (SELECT value_id FROM histogram_1)
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
                  CROSS JOIN total_2 AS total
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
                  CROSS JOIN total_2 AS total
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
            CROSS JOIN total_2 AS total
            CROSS JOIN (SELECT MAX(place) AS last_place, MAX(prefix_before + cumulative) AS last_prefix FROM position) AS last_position
          ) AS class_work
        ) AS class_distance
      ) AS verdict_7
        ON class.class_id = verdict_7.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
              SUM(ABS(CAST(reference_rows AS HUGEINT) * cut_count - CAST(class_size AS HUGEINT) * reference_count))
                + CAST(class_size AS HUGEINT) * (2 * CAST(reference_rows AS HUGEINT) - SUM(reference_count)) AS work,
              CAST(4 AS HUGEINT) * class_size * reference_rows AS unit
            FROM (
              SELECT
                class_cut.*,
                COALESCE(reference_cut.reference_count, 0) AS reference_count
              FROM (
                SELECT
                  histogram.class_id,
                  histogram.class_size,
                  histogram.reference_rows,
                  histogram.reference_values,
                  histogram.reference_drift,
                  histogram.vanishing_values,
                  0 AS level,
                  value.id_0 AS cut_id,
                  CAST(SUM(histogram.value_count) AS BIGINT) AS cut_count
                FROM compared_2 AS histogram
                JOIN value_1 AS value
                  ON histogram.value_id = value.id_0
                GROUP BY histogram.class_id, histogram.class_size, histogram.reference_rows, histogram.reference_values, histogram.reference_drift, histogram.vanishing_values, value.id_0
                UNION ALL
                SELECT
                  histogram.class_id,
                  histogram.class_size,
                  histogram.reference_rows,
                  histogram.reference_values,
                  histogram.reference_drift,
                  histogram.vanishing_values,
                  1 AS level,
                  value.id_1 AS cut_id,
                  CAST(SUM(histogram.value_count) AS BIGINT) AS cut_count
                FROM compared_2 AS histogram
                JOIN value_1 AS value
                  ON histogram.value_id = value.id_0
                GROUP BY histogram.class_id, histogram.class_size, histogram.reference_rows, histogram.reference_values, histogram.reference_drift, histogram.vanishing_values, value.id_1
              ) AS class_cut
              LEFT JOIN (
                SELECT
                  0 AS level,
                  value.id_0 AS cut_id,
                  CAST(SUM(reference.reference_count) AS BIGINT) AS reference_count
                FROM reference_2 AS reference
                JOIN value_1 AS value
                  ON reference.value_id = value.id_0
                GROUP BY value.id_0
                UNION ALL
                SELECT
                  1 AS level,
                  value.id_1 AS cut_id,
                  CAST(SUM(reference.reference_count) AS BIGINT) AS reference_count
                FROM reference_2 AS reference
                JOIN value_1 AS value
                  ON reference.value_id = value.id_0
                GROUP BY value.id_1
              ) AS reference_cut
                ON class_cut.level = reference_cut.level
                AND class_cut.cut_id = reference_cut.cut_id
            ) AS compared_cut
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict_8
        ON class.class_id = verdict_8.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 2 > unit * 1 AS fails,
          work / unit AS figure,
          class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
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
              SUM(ABS(CAST(reference_rows AS HUGEINT) * value_count - CAST(class_size AS HUGEINT) * reference_count))
                + CAST(class_size AS HUGEINT) * (reference_rows - CAST(SUM(reference_count) AS BIGINT)) AS work,
              CAST(2 AS HUGEINT) * class_size * reference_rows AS unit
            FROM compared_2
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict_9
        ON class.class_id = verdict_9.class_id
      LEFT JOIN (
        SELECT
          class_id,
          distance > 0.5 * (1 + 1e-9) AS fails,
          distance AS figure,
          CASE WHEN distance < CAST('infinity' AS DOUBLE) AND most > 0.5 THEN class_size * (distance - 0.5 * (1 + 2e-9)) / (most - 0.5) ELSE 0 END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            CASE
              WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
              ELSE GREATEST(0, SUM(value_count * (LN(value_count / class_size) - LN(NULLIF(reference_count, 0) / reference_rows))) / class_size)
            END AS distance,
            LN(reference_rows / (SELECT MIN(reference_count) FROM reference_3 WHERE reference_count > 0)) AS most
          FROM compared_3
          GROUP BY class_id, class_size, reference_rows
        ) AS class_distance
      ) AS verdict_10
        ON class.class_id = verdict_10.class_id
      LEFT JOIN (
        SELECT
          class_id,
          distance > 0.5 * (1 + 1e-9) AS fails,
          distance AS figure,
          CASE WHEN distance < CAST('infinity' AS DOUBLE) AND most > 0.5 THEN class_size * (distance - 0.5 * (1 + 2e-9)) / (most - 0.5) ELSE 0 END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            CASE WHEN reference_rows > 0 THEN GREATEST(0, (
              SUM(share * LN(2 * share / (share + reference_share)))
              + COALESCE(SUM(reference_share * LN(2 * NULLIF(reference_share, 0) / (share + reference_share))), 0)
              + (reference_rows - SUM(reference_count)) / reference_rows * LN(2)
            ) / 2) END AS distance,
            LN(2) AS most
          FROM (
            SELECT
              *,
              value_count / class_size AS share,
              reference_count / reference_rows AS reference_share
            FROM compared_2
          ) AS share
          GROUP BY class_id, class_size, reference_rows
        ) AS class_distance
      ) AS verdict_11
        ON class.class_id = verdict_11.class_id
      LEFT JOIN (
        SELECT
          class_id,
          fails OR held_values < reference_values AS fails,
          CASE WHEN is_infinite OR held_values < reference_values THEN CAST('infinity' AS DOUBLE) ELSE LN(NULLIF(furthest, 0)) END AS figure,
          CASE WHEN held_lasting < lasting_values THEN class_size ELSE repair END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            reference_values,
            COUNT(*) FILTER (WHERE reference_count > 0) AS held_values,
            COUNT(*) FILTER (WHERE reference_count > reference_drift) AS held_lasting,
            lasting_values,
            BOOL_OR(reference_count = 0) AS is_infinite,
            BOOL_OR(
              value_count * CAST(reference_rows AS HUGEINT) * 50000000000000 > class_size * CAST(reference_count AS HUGEINT) * 1004276846159383
              OR class_size * CAST(reference_count AS HUGEINT) * 50000000000000 > value_count * CAST(reference_rows AS HUGEINT) * 1004276846159383
            ) AS fails,
            MAX(GREATEST(
              (value_count / class_size) / NULLIF(reference_count / reference_rows, 0),
              (reference_count / reference_rows) / (value_count / class_size)
            )) AS furthest,
            MAX(GREATEST(
              CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END,
              CASE WHEN least_share > 0 THEN class_size - value_count / least_share ELSE 0 END
            )) AS repair
          FROM (
            SELECT
              *,
              reference_count * (1004276846159383 / 50000000000000) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share,
              (reference_count - reference_drift) / (1004276846159383 / 50000000000000) / reference_rows AS least_share
            FROM compared_2
          ) AS bounded_value
          GROUP BY class_id, class_size, reference_values, lasting_values
        ) AS class_ratio
      ) AS verdict_12
        ON class.class_id = verdict_12.class_id
      LEFT JOIN (
        SELECT
          class_id,
          fails OR held_values < reference_values AS fails,
          CASE WHEN is_infinite OR held_values < reference_values THEN CAST('infinity' AS DOUBLE) ELSE LN(NULLIF(furthest, 0)) END AS figure,
          CASE WHEN held_lasting < lasting_values THEN class_size ELSE repair END AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            reference_values,
            COUNT(*) FILTER (WHERE reference_count > 0) AS held_values,
            COUNT(*) FILTER (WHERE reference_count > reference_drift) AS held_lasting,
            lasting_values,
            BOOL_OR(reference_count = 0) AS is_infinite,
            BOOL_OR(
              value_count * CAST(reference_rows AS HUGEINT) * 50000000000000 > class_size * CAST(reference_count AS HUGEINT) * 1004276846159383
              OR class_size * CAST(reference_count AS HUGEINT) * 50000000000000 > value_count * CAST(reference_rows AS HUGEINT) * 1004276846159383
            ) AS fails,
            MAX(GREATEST(
              (value_count / class_size) / NULLIF(reference_count / reference_rows, 0),
              (reference_count / reference_rows) / (value_count / class_size)
            )) AS furthest,
            MAX(GREATEST(
              CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END,
              CASE WHEN least_share > 0 THEN class_size - value_count / least_share ELSE 0 END
            )) AS repair
          FROM (
            SELECT
              *,
              reference_count * (1004276846159383 / 50000000000000) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share,
              (reference_count - reference_drift) / (1004276846159383 / 50000000000000) / reference_rows AS least_share
            FROM compared_2
          ) AS bounded_value
          GROUP BY class_id, class_size, reference_values, lasting_values
        ) AS class_ratio
      ) AS verdict_13
        ON class.class_id = verdict_13.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(
            value_count * CAST(reference_rows AS HUGEINT) * 1 > class_size * CAST(reference_count AS HUGEINT) * 6
            OR value_count * CAST(reference_rows AS HUGEINT) * 1000000000000 > class_size * CAST(reference_count AS HUGEINT) * CAST(FLOOR((1 - COALESCE(LN(NULLIF(reference_count, 0) / reference_rows), 0)) * 1e12) AS HUGEINT)
          ) AS fails,
          CASE
            WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
            ELSE MAX(GREATEST(0, (value_count / class_size) / NULLIF(reference_count / reference_rows, 0) - 1))
          END AS figure,
          MAX(CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END) AS repair
        FROM (
          SELECT
            *,
            drifted_share * LEAST(6 / 1, 1 - COALESCE(LN(NULLIF(drifted_share, 0)), 0)) AS most_share
          FROM (
            SELECT
              *,
              LEAST(1, reference_count / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0)) AS drifted_share
            FROM compared_2
          ) AS drifted_value
        ) AS bounded_value
        GROUP BY class_id, class_size
      ) AS verdict_14
        ON class.class_id = verdict_14.class_id
      LEFT JOIN (
        SELECT
          class_id,
          BOOL_OR(value_count * CAST(reference_rows AS HUGEINT) * 1 > class_size * CAST(reference_count AS HUGEINT) * 5) AS fails,
          CASE
            WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
            ELSE MAX((value_count / class_size) / NULLIF(reference_count / reference_rows, 0))
          END AS figure,
          MAX(CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END) AS repair
        FROM (
          SELECT
            *,
            reference_count * (5 / 1) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share
          FROM compared_2
        ) AS bounded_value
        GROUP BY class_id, class_size
      ) AS verdict_15
        ON class.class_id = verdict_15.class_id
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) <= 1 AS fails,
          CASE WHEN COUNT(*) <= 1 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_16
        ON class.class_id = verdict_16.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          CASE WHEN COUNT(*) <= 2 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_17
        ON class.class_id = verdict_17.class_id
      LEFT JOIN (
        SELECT
          class_id,
          FALSE AS fails,
          CASE WHEN COUNT(DISTINCT group_id) = 1 THEN class_size ELSE 0 END AS figure,
          class_size AS repair
        FROM (
          SELECT
            histogram.class_id,
            histogram.class_size,
            value.id_1 AS group_id
          FROM histogram_1 AS histogram
          JOIN value_1 AS value
            ON histogram.value_id = value.id_0
        ) AS class_group
        GROUP BY class_id, class_size
      ) AS verdict_18
        ON class.class_id = verdict_18.class_id
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
    WHEN NOT COALESCE(class_count > 0 AND failing_classes_1 = 0 AND failing_rows_1 = 0 AND failing_classes_2 = 0 AND failing_rows_2 = 0 AND failing_classes_3 = 0 AND failing_rows_3 = 0 AND failing_classes_4 = 0 AND failing_rows_4 = 0 AND failing_classes_5 = 0 AND failing_rows_5 = 0 AND failing_classes_6 = 0 AND failing_rows_6 = 0 AND failing_classes_7 = 0 AND failing_rows_7 = 0 AND failing_classes_8 = 0 AND failing_rows_8 = 0 AND failing_classes_9 = 0 AND failing_rows_9 = 0 AND failing_classes_10 = 0 AND failing_rows_10 = 0 AND failing_classes_11 = 0 AND failing_rows_11 = 0 AND failing_classes_12 = 0 AND failing_rows_12 = 0 AND failing_classes_13 = 0 AND failing_rows_13 = 0 AND failing_classes_14 = 0 AND failing_rows_14 = 0 AND failing_classes_15 = 0 AND failing_rows_15 = 0 AND failing_classes_16 = 0 AND failing_rows_16 = 0 AND failing_classes_17 = 0 AND failing_rows_17 = 0 AND failing_classes_18 = 0 AND failing_rows_18 = 0 AND measured_16 * 1 <= 0 AND measured_17 * 1 <= 1 * release_rows AND measured_18 * 1 <= 1 * release_rows, FALSE)
      THEN system.main.error('the release does not give what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_1 BETWEEN CAST(2.999999699 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_2 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.9000000910000000222044627129 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_3 BETWEEN CAST(0.999999899 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_4 BETWEEN CAST(1.099999889000000088817833088 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_5 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(30.000003001 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_6 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.500000051 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_7 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.500000051 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_8 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.500000051 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_9 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.500000051 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_10 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.500000051 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_11 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.500000051 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_12 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(3.000000301 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_13 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(3.000000301 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_14 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(5.000000501 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_15 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(5.000000501 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_16 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.000000001 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_17 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_18 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
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
      || ', {"name": "alpha_k_anonymity", "parameters": {"column": "disease", "alpha": "0.9", "k": 2, "values": {"values_not_shown": 1}}, "measured": ' || CASE
      WHEN measured_2 IS NULL THEN 'null'
      WHEN measured_2 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_2 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "distinct_l_diversity", "parameters": {"column": "disease", "l": 1}, "measured": ' || CASE
      WHEN measured_3 IS NULL THEN 'null'
      WHEN measured_3 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_3 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "entropy_l_diversity", "parameters": {"column": "disease", "l": "1.1"}, "measured": ' || CASE
      WHEN measured_4 IS NULL THEN 'null'
      WHEN measured_4 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_4 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "recursive_l_diversity", "parameters": {"column": "disease", "c": 30, "l": 2, "disclosable": {"values_not_shown": 1}, "protected": {"values_not_shown": 1}, "protected_share": "0.01"}, "measured": ' || CASE
      WHEN measured_5 IS NULL THEN 'null'
      WHEN measured_5 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_5 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "t_closeness", "parameters": {"column": "disease", "t": "0.5", "distance": "equal", "reference": "uniform"}, "measured": ' || CASE
      WHEN measured_6 IS NULL THEN 'null'
      WHEN measured_6 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_6 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "t_closeness", "parameters": {"column": "disease", "t": "0.5", "distance": "ordered", "reference": "source"}, "measured": ' || CASE
      WHEN measured_7 IS NULL THEN 'null'
      WHEN measured_7 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_7 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "t_closeness", "parameters": {"column": "disease", "t": "0.5", "distance": "hierarchical", "reference": "source"}, "measured": ' || CASE
      WHEN measured_8 IS NULL THEN 'null'
      WHEN measured_8 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_8 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "t_closeness", "parameters": {"column": "disease", "t": "0.5", "distance": "variational", "reference": "source"}, "measured": ' || CASE
      WHEN measured_9 IS NULL THEN 'null'
      WHEN measured_9 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_9 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "t_closeness", "parameters": {"column": "disease", "t": "0.5", "distance": "kl", "reference": {"table": "priors", "weight": "weight"}}, "measured": ' || CASE
      WHEN measured_10 IS NULL THEN 'null'
      WHEN measured_10 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_10 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "t_closeness", "parameters": {"column": "disease", "t": "0.5", "distance": "js", "reference": "source"}, "measured": ' || CASE
      WHEN measured_11 IS NULL THEN 'null'
      WHEN measured_11 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_11 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "ratio_closeness", "parameters": {"column": "disease", "epsilon": 3, "reference": "source"}, "measured": ' || CASE
      WHEN measured_12 IS NULL THEN 'null'
      WHEN measured_12 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_12 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "delta_disclosure", "parameters": {"column": "disease", "reference": "source", "delta": 3, "absent": "fail"}, "measured": ' || CASE
      WHEN measured_13 IS NULL THEN 'null'
      WHEN measured_13 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_13 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "beta_likeness", "parameters": {"column": "disease", "reference": "source", "beta": 5, "enhanced": true}, "measured": ' || CASE
      WHEN measured_14 IS NULL THEN 'null'
      WHEN measured_14 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_14 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "skewness", "parameters": {"column": "disease", "reference": "source", "at_most": 5}, "measured": ' || CASE
      WHEN measured_15 IS NULL THEN 'null'
      WHEN measured_15 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_15 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "homogeneity", "parameters": {"column": "disease", "at_most": "0"}, "measured": ' || CASE
      WHEN measured_16 IS NULL THEN 'null'
      WHEN measured_16 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_16 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "background_knowledge", "parameters": {"column": "disease", "at_most": "100%", "excluded": 1}, "measured": ' || CASE
      WHEN measured_17 IS NULL THEN 'null'
      WHEN measured_17 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_17 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "similarity", "parameters": {"column": "disease", "at_most": "100%", "level": 1}, "measured": ' || CASE
      WHEN measured_18 IS NULL THEN 'null'
      WHEN measured_18 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_18 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ']' AS guarantees,
    NULL AS settled_rows,
    VERSION() AS engine_version,
    'policy.yml' AS policy,
    '.' AS folder,
    'sha256:f22910a89d37fe47153ba9fa5398940e' AS policy_fingerprint,
    '<lock>' AS lock_fingerprint,
    'patients' AS source,
    'sha256:d70cbb88bf71e0a87bb2dd8260bed2bd' AS source_fingerprint,
    'full_domain' AS recoding,
    '{"levels": {"age": 0, "zip": 1}}' AS decision,
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
