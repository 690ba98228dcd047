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
      AND system.main.lower(function_name) IN ('%', '*', '+', '-', '/', 'abs', 'array_extract', 'array_slice', 'bool_or', 'ceil', 'count', 'count_star', 'dense_rank', 'duckdb_tables', 'element_at', 'error', 'get_current_timestamp', 'greatest', 'least', 'length', 'list_extract', 'list_slice', 'list_value', 'map_extract', 'map_extract_value', 'max', 'min', 'now', 'quantile_disc', 'repeat', 'row', 'row_number', 'struct_extract', 'substring', 'sum', 'timezone', 'translate', 'version', '||')
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

-- zip: level 1 of 3, first 4 characters
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_lookup_1" AS
WITH labelled AS (
  SELECT
    *,
    CASE
      WHEN value IS NULL THEN NULL
      WHEN label_1 IS NULL THEN 1
      WHEN label_2 IS NULL THEN 2
    END AS missing_level
  FROM (
    SELECT
      value,
      row_count,
      CASE
              WHEN LENGTH(CAST(value AS VARCHAR)) > 4
                THEN SUBSTRING(CAST(value AS VARCHAR), 1, 4)
                  || REPEAT('*', LENGTH(CAST(value AS VARCHAR)) - 4)
              ELSE CAST(value AS VARCHAR)
            END AS label_1,
      CASE
              WHEN LENGTH(CAST(value AS VARCHAR)) > 3
                THEN SUBSTRING(CAST(value AS VARCHAR), 1, 3)
                  || REPEAT('*', LENGTH(CAST(value AS VARCHAR)) - 3)
              ELSE CAST(value AS VARCHAR)
            END AS label_2
    FROM (
      SELECT CAST("source"."zip" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
      FROM "clinic"."main"."visits" AS source
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

-- age: level 1 of 3, intervals of 10
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_lookup_2" AS
WITH labelled AS (
  SELECT
    *,
    CASE
      WHEN value IS NULL THEN NULL
      WHEN label_1 IS NULL THEN 1
      WHEN label_2 IS NULL THEN 2
    END AS missing_level
  FROM (
    SELECT
      value,
      row_count,
      '[' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 10 + 10) % 10 AS DECIMAL(38, 0)) AS VARCHAR)
              || ', ' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 10 + 10) % 10 + 10 AS DECIMAL(38, 0)) AS VARCHAR)
              || ')' AS label_1,
      '[' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 20 + 20) % 20 AS DECIMAL(38, 0)) AS VARCHAR)
              || ', ' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 20 + 20) % 20 + 20 AS DECIMAL(38, 0)) AS VARCHAR)
              || ')' AS label_2
    FROM (
      SELECT "source"."age" AS value, COUNT(*) AS row_count
      FROM "clinic"."main"."visits" AS source
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
    CAST("source"."ward" AS VARCHAR) COLLATE C AS kept_2,
    "source"."amount" AS kept_3,
    "source"."person" AS kept_4,
1 AS class_size
  FROM "clinic"."main"."visits" AS source
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
    kept_4,
    kept_1,
    kept_2,
    COUNT(*) AS row_count
  FROM labelled_row
  GROUP BY q1, q2, kept_4, kept_1, kept_2
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
        SELECT "source"."person" AS value, COUNT(*) AS row_count
        FROM (SELECT kept_4 AS "person" FROM cell) AS source
        GROUP BY "source"."person"
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
    CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0
  FROM leaf
),
value_2 AS MATERIALIZED (
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
        SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
        FROM (SELECT kept_1 AS "disease" FROM cell) AS source
        GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
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
    CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0
  FROM leaf
),
value_3 AS MATERIALIZED (
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
        SELECT CAST("source"."ward" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
        FROM (SELECT kept_2 AS "ward" FROM cell) AS source
        GROUP BY CAST("source"."ward" AS VARCHAR) COLLATE C
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
    CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0
  FROM leaf
),
valued_cell AS (
  SELECT
    cell.*,
    value_1.id_0 AS v1,
    value_2.id_0 AS v2,
    value_3.id_0 AS v3
  FROM cell AS cell
  JOIN value_1
    ON cell.kept_4 IS NOT DISTINCT FROM value_1.value
  JOIN value_2
    ON cell.kept_1 IS NOT DISTINCT FROM value_2.value
  JOIN value_3
    ON cell.kept_2 IS NOT DISTINCT FROM value_3.value
),
counted AS MATERIALIZED (
  SELECT
    q1 AS key_1,
    q2 AS key_2,
    v1,
    v2,
    v3,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM valued_cell AS cell
  GROUP BY q1, q2, v1, v2, v3
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
    counted.v3,
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
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_0
        GROUP BY class_id, class_size, v1
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_0
      ),
      block_2 AS MATERIALIZED (
        SELECT
          class_id,
          v3,
          ROW_NUMBER() OVER () AS block_id,
          CAST(SUM(row_count) AS BIGINT) AS block_size
        FROM class_cell_0
        GROUP BY class_id, v3
      ),
      histogram_2 AS MATERIALIZED (
        SELECT
          block.block_id AS class_id,
          block.block_size AS class_size,
          cell.v2 AS value_id,
          CAST(SUM(cell.row_count) AS BIGINT) AS value_count
        FROM class_cell_0 AS cell
        JOIN block_2 AS block
          ON cell.class_id = block.class_id
          AND cell.v3 = block.v3
        GROUP BY block.block_id, block.block_size, cell.v2
      ),
      histogram_3 AS MATERIALIZED (
        SELECT
          class_id,
          class_size,
          v2 AS value_id,
          v3 AS value_id_2,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_0
        GROUP BY class_id, class_size, v2, v3
      ),
      sized_3 AS (
        SELECT class_id, class_size
        FROM class_0
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v2 AS value_id,
          v3 AS value_id_2,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM class_cell_0
        GROUP BY v2, v3
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
        FROM histogram_3 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id AND histogram.value_id_2 = reference.value_id_2
        CROSS JOIN total_1 AS total
      )
    SELECT
      class_id,
      class_size,
      CASE WHEN BOOL_OR(fails_1) OVER () THEN fails_1 ELSE fails_1 OR fails_2 OR fails_3 END AS fails,
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
        verdict_1.figure AS figure_1,
        (class_size < 3) OR CASE WHEN verdict_1.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(2.999999699 AS DOUBLE) AND verdict_1.figure <= 1.7976931348623157e308, FALSE) END AS fails_1,
        CASE
          WHEN class_size < 3 THEN class_size
          WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(0.7000000709999999555910745741 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 3 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_1
        ON class.class_id = verdict_1.class_id
      LEFT JOIN (
        SELECT
          block.class_id,
          BOOL_OR(COALESCE(verdict.fails, TRUE) OR NOT COALESCE(verdict.figure >= CAST(1.999999799 AS DOUBLE) AND verdict.figure <= 1.7976931348623157e308, FALSE)) AS fails,
          MIN(verdict.figure) AS figure,
          SUM(CASE WHEN verdict.fails THEN LEAST(GREATEST(verdict.repair, 0), block.block_size) ELSE 0 END) AS repair
        FROM (
          SELECT
            class_id,
            COUNT(*) < 2 AS fails,
            COUNT(*) AS figure,
            class_size AS repair
          FROM histogram_2
          GROUP BY class_id, class_size
        ) AS verdict
        JOIN block_2 AS block
          ON verdict.class_id = block.block_id
        GROUP BY block.class_id
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 10 > unit * 7 AS fails,
          work / unit AS figure,
          class_size * ((work * 10 - unit * 7) / (unit * 3)) AS repair
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
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
    ) AS judged
  ) AS verdict
  WHERE NOT fails
),
class_cell_1 AS MATERIALIZED (
  SELECT
    class.*,
    cell.v1,
    cell.v2,
    cell.v3,
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
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_1
        GROUP BY class_id, class_size, v1
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_1
      ),
      block_2 AS MATERIALIZED (
        SELECT
          class_id,
          v3,
          ROW_NUMBER() OVER () AS block_id,
          CAST(SUM(row_count) AS BIGINT) AS block_size
        FROM class_cell_1
        GROUP BY class_id, v3
      ),
      histogram_2 AS MATERIALIZED (
        SELECT
          block.block_id AS class_id,
          block.block_size AS class_size,
          cell.v2 AS value_id,
          CAST(SUM(cell.row_count) AS BIGINT) AS value_count
        FROM class_cell_1 AS cell
        JOIN block_2 AS block
          ON cell.class_id = block.class_id
          AND cell.v3 = block.v3
        GROUP BY block.block_id, block.block_size, cell.v2
      ),
      histogram_3 AS MATERIALIZED (
        SELECT
          class_id,
          class_size,
          v2 AS value_id,
          v3 AS value_id_2,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_1
        GROUP BY class_id, class_size, v2, v3
      ),
      sized_3 AS (
        SELECT class_id, class_size
        FROM class_1
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v2 AS value_id,
          v3 AS value_id_2,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM class_cell_1
        GROUP BY v2, v3
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
        FROM histogram_3 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id AND histogram.value_id_2 = reference.value_id_2
        CROSS JOIN total_1 AS total
      )
    SELECT
      class_id,
      class_size,
      CASE WHEN BOOL_OR(fails_1) OVER () THEN fails_1 ELSE fails_1 OR fails_2 OR fails_3 END AS fails,
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
        verdict_1.figure AS figure_1,
        (class_size < 3) OR CASE WHEN verdict_1.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(2.999999699 AS DOUBLE) AND verdict_1.figure <= 1.7976931348623157e308, FALSE) END AS fails_1,
        CASE
          WHEN class_size < 3 THEN class_size
          WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(0.7000000709999999555910745741 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3
      FROM class_1 AS class
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 3 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_1
        ON class.class_id = verdict_1.class_id
      LEFT JOIN (
        SELECT
          block.class_id,
          BOOL_OR(COALESCE(verdict.fails, TRUE) OR NOT COALESCE(verdict.figure >= CAST(1.999999799 AS DOUBLE) AND verdict.figure <= 1.7976931348623157e308, FALSE)) AS fails,
          MIN(verdict.figure) AS figure,
          SUM(CASE WHEN verdict.fails THEN LEAST(GREATEST(verdict.repair, 0), block.block_size) ELSE 0 END) AS repair
        FROM (
          SELECT
            class_id,
            COUNT(*) < 2 AS fails,
            COUNT(*) AS figure,
            class_size AS repair
          FROM histogram_2
          GROUP BY class_id, class_size
        ) AS verdict
        JOIN block_2 AS block
          ON verdict.class_id = block.block_id
        GROUP BY block.class_id
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 10 > unit * 7 AS fails,
          work / unit AS figure,
          class_size * ((work * 10 - unit * 7) / (unit * 3)) AS repair
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
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
    ) AS judged
  ) AS verdict
  WHERE NOT fails
),
class_cell_2 AS MATERIALIZED (
  SELECT
    class.*,
    cell.v1,
    cell.v2,
    cell.v3,
    cell.row_count
  FROM class_cell_1 AS cell
  JOIN class_2 AS class
    ON cell.class_id = class.class_id
),
class_3 AS MATERIALIZED (
  SELECT class_id, class_size
  FROM (
    WITH
      histogram_1 AS MATERIALIZED (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_2
        GROUP BY class_id, class_size, v1
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_2
      ),
      block_2 AS MATERIALIZED (
        SELECT
          class_id,
          v3,
          ROW_NUMBER() OVER () AS block_id,
          CAST(SUM(row_count) AS BIGINT) AS block_size
        FROM class_cell_2
        GROUP BY class_id, v3
      ),
      histogram_2 AS MATERIALIZED (
        SELECT
          block.block_id AS class_id,
          block.block_size AS class_size,
          cell.v2 AS value_id,
          CAST(SUM(cell.row_count) AS BIGINT) AS value_count
        FROM class_cell_2 AS cell
        JOIN block_2 AS block
          ON cell.class_id = block.class_id
          AND cell.v3 = block.v3
        GROUP BY block.block_id, block.block_size, cell.v2
      ),
      histogram_3 AS MATERIALIZED (
        SELECT
          class_id,
          class_size,
          v2 AS value_id,
          v3 AS value_id_2,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_2
        GROUP BY class_id, class_size, v2, v3
      ),
      sized_3 AS (
        SELECT class_id, class_size
        FROM class_2
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v2 AS value_id,
          v3 AS value_id_2,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM class_cell_2
        GROUP BY v2, v3
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
        FROM histogram_3 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id AND histogram.value_id_2 = reference.value_id_2
        CROSS JOIN total_1 AS total
      )
    SELECT
      class_id,
      class_size,
      CASE WHEN BOOL_OR(fails_1) OVER () THEN fails_1 ELSE fails_1 OR fails_2 OR fails_3 END AS fails,
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
        verdict_1.figure AS figure_1,
        (class_size < 3) OR CASE WHEN verdict_1.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(2.999999699 AS DOUBLE) AND verdict_1.figure <= 1.7976931348623157e308, FALSE) END AS fails_1,
        CASE
          WHEN class_size < 3 THEN class_size
          WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(0.7000000709999999555910745741 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3
      FROM class_2 AS class
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 3 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_1
        ON class.class_id = verdict_1.class_id
      LEFT JOIN (
        SELECT
          block.class_id,
          BOOL_OR(COALESCE(verdict.fails, TRUE) OR NOT COALESCE(verdict.figure >= CAST(1.999999799 AS DOUBLE) AND verdict.figure <= 1.7976931348623157e308, FALSE)) AS fails,
          MIN(verdict.figure) AS figure,
          SUM(CASE WHEN verdict.fails THEN LEAST(GREATEST(verdict.repair, 0), block.block_size) ELSE 0 END) AS repair
        FROM (
          SELECT
            class_id,
            COUNT(*) < 2 AS fails,
            COUNT(*) AS figure,
            class_size AS repair
          FROM histogram_2
          GROUP BY class_id, class_size
        ) AS verdict
        JOIN block_2 AS block
          ON verdict.class_id = block.block_id
        GROUP BY block.class_id
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 10 > unit * 7 AS fails,
          work / unit AS figure,
          class_size * ((work * 10 - unit * 7) / (unit * 3)) AS repair
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
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
    ) AS judged
  ) AS verdict
  WHERE NOT fails
),
class_cell_3 AS MATERIALIZED (
  SELECT
    class.*,
    cell.v1,
    cell.v2,
    cell.v3,
    cell.row_count
  FROM class_cell_2 AS cell
  JOIN class_3 AS class
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
          v1 AS value_id,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_3
        GROUP BY class_id, class_size, v1
      ),
      sized_1 AS (
        SELECT class_id, class_size
        FROM class_3
      ),
      block_2 AS MATERIALIZED (
        SELECT
          class_id,
          v3,
          ROW_NUMBER() OVER () AS block_id,
          CAST(SUM(row_count) AS BIGINT) AS block_size
        FROM class_cell_3
        GROUP BY class_id, v3
      ),
      histogram_2 AS MATERIALIZED (
        SELECT
          block.block_id AS class_id,
          block.block_size AS class_size,
          cell.v2 AS value_id,
          CAST(SUM(cell.row_count) AS BIGINT) AS value_count
        FROM class_cell_3 AS cell
        JOIN block_2 AS block
          ON cell.class_id = block.class_id
          AND cell.v3 = block.v3
        GROUP BY block.block_id, block.block_size, cell.v2
      ),
      histogram_3 AS MATERIALIZED (
        SELECT
          class_id,
          class_size,
          v2 AS value_id,
          v3 AS value_id_2,
          CAST(SUM(row_count) AS BIGINT) AS value_count
        FROM class_cell_3
        GROUP BY class_id, class_size, v2, v3
      ),
      sized_3 AS (
        SELECT class_id, class_size
        FROM class_3
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v2 AS value_id,
          v3 AS value_id_2,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM class_cell_3
        GROUP BY v2, v3
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
        FROM histogram_3 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id AND histogram.value_id_2 = reference.value_id_2
        CROSS JOIN total_1 AS total
      )
    SELECT
      class_id,
      class_size,
      CASE WHEN BOOL_OR(fails_1) OVER () THEN fails_1 ELSE fails_1 OR fails_2 OR fails_3 END AS fails,
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
        verdict_1.figure AS figure_1,
        (class_size < 3) OR CASE WHEN verdict_1.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(2.999999699 AS DOUBLE) AND verdict_1.figure <= 1.7976931348623157e308, FALSE) END AS fails_1,
        CASE
          WHEN class_size < 3 THEN class_size
          WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2,
        verdict_3.figure AS figure_3,
        CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(0.7000000709999999555910745741 AS DOUBLE), FALSE) END AS fails_3,
        CASE
          WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_3
      FROM class_3 AS class
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 3 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_1
        ON class.class_id = verdict_1.class_id
      LEFT JOIN (
        SELECT
          block.class_id,
          BOOL_OR(COALESCE(verdict.fails, TRUE) OR NOT COALESCE(verdict.figure >= CAST(1.999999799 AS DOUBLE) AND verdict.figure <= 1.7976931348623157e308, FALSE)) AS fails,
          MIN(verdict.figure) AS figure,
          SUM(CASE WHEN verdict.fails THEN LEAST(GREATEST(verdict.repair, 0), block.block_size) ELSE 0 END) AS repair
        FROM (
          SELECT
            class_id,
            COUNT(*) < 2 AS fails,
            COUNT(*) AS figure,
            class_size AS repair
          FROM histogram_2
          GROUP BY class_id, class_size
        ) AS verdict
        JOIN block_2 AS block
          ON verdict.class_id = block.block_id
        GROUP BY block.class_id
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 10 > unit * 7 AS fails,
          work / unit AS figure,
          class_size * ((work * 10 - unit * 7) / (unit * 3)) AS repair
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
      ) AS verdict_3
        ON class.class_id = verdict_3.class_id
    ) AS judged
  ) AS verdict
    ON class.class_id = verdict.class_id
  WHERE NOT verdict.fails
),
sized_row AS (
  SELECT
    labelled_row.*
  FROM labelled_row
  JOIN released_class
    ON labelled_row.q1 = released_class.key_1 AND labelled_row.q2 = released_class.key_2
)
SELECT
  sized_row.label_1 AS "zip",
  sized_row.label_2 AS "age",
  sized_row.kept_1 AS "disease",
  sized_row.kept_2 AS "ward",
  sized_row.kept_3 AS "amount"
FROM sized_row
WHERE NOT (FALSE)
ORDER BY sized_row.q1 ASC NULLS FIRST, sized_row.q2 ASC NULLS FIRST, sized_row.kept_1 ASC NULLS FIRST, sized_row.kept_2 ASC NULLS FIRST, sized_row.kept_3 ASC NULLS FIRST;

-- the release, measured from itself
CREATE TEMPORARY TABLE temp.main."sqlgen_audit" AS
SELECT
  measured.release_rows,
  measured.class_count,
  measured.masked_rows,
  persons.measured_1 AS measured_1,
  persons.failing_classes_1 AS failing_classes_1,
  persons.failing_rows_1 AS failing_rows_1,
  persons.figures_1 AS figures_1,
  measured.measured_1 AS measured_2,
  measured.failing_classes_1 AS failing_classes_2,
  measured.failing_rows_1 AS failing_rows_2,
  measured.figures_1 AS figures_2,
  measured.measured_2 AS measured_3,
  measured.failing_classes_2 AS failing_classes_3,
  measured.failing_rows_2 AS failing_rows_3,
  measured.figures_2 AS figures_3,
  (SELECT COUNT(*) FROM "clinic"."main"."visits") AS source_rows,
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
  ABS(measured.release_rows - persons.release_rows) AS uncounted_rows,
  0 AS empty_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released') AS release_object
FROM (
  WITH
  cell AS MATERIALIZED (
    SELECT
      CAST("audited"."zip" AS VARCHAR) COLLATE C AS q1,
      CAST("audited"."age" AS VARCHAR) COLLATE C AS q2,
      CAST("audited"."disease" AS VARCHAR) COLLATE C AS s1,
      CAST("audited"."ward" AS VARCHAR) COLLATE C AS s2,
      COUNT(*) AS row_count
    FROM "clinic"."main"."released" AS audited
    GROUP BY CAST("audited"."zip" AS VARCHAR) COLLATE C, CAST("audited"."age" AS VARCHAR) COLLATE C, CAST("audited"."disease" AS VARCHAR) COLLATE C, CAST("audited"."ward" AS VARCHAR) COLLATE C
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
          SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
          FROM (SELECT s1 AS "disease" FROM cell) AS source
          GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
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
      CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0
    FROM leaf
  ),
  value_2 AS MATERIALIZED (
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
          SELECT CAST("source"."ward" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
          FROM (SELECT s2 AS "ward" FROM cell) AS source
          GROUP BY CAST("source"."ward" AS VARCHAR) COLLATE C
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
      CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0
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
    COALESCE(MAX(figure_2), 0) AS measured_2,
    COUNT(*) FILTER (WHERE fails_2) AS failing_classes_2,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_2), 0) AS BIGINT) AS failing_rows_2,
    QUANTILE_DISC(figure_2, [0, 0.25, 0.5, 0.75, 1]) AS figures_2
  FROM (
    WITH
      block_1 AS MATERIALIZED (
        SELECT
          class_id,
          v2,
          ROW_NUMBER() OVER () AS block_id,
          CAST(SUM(row_count) AS BIGINT) AS block_size
        FROM class_cell_0
        GROUP BY class_id, v2
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
          AND cell.v2 = block.v2
        GROUP BY block.block_id, block.block_size, cell.v1
      ),
      histogram_2 AS (
        SELECT
          class_id,
          class_size,
          v1 AS value_id,
          v2 AS value_id_2,
          row_count AS value_count
        FROM class_cell_0
      ),
      sized_2 AS (
        SELECT class_id, class_size
        FROM class_0
      ),
      reference_1 AS MATERIALIZED (
        SELECT
          v1 AS value_id,
          v2 AS value_id_2,
          CAST(SUM(row_count) AS BIGINT) AS reference_count
        FROM class_cell_0
        GROUP BY v1, v2
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
          ON histogram.value_id = reference.value_id AND histogram.value_id_2 = reference.value_id_2
        CROSS JOIN total_1 AS total
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
        verdict_1.figure AS figure_1,
        CASE WHEN verdict_1.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_1.figure <= 1.7976931348623157e308, FALSE) END AS fails_1,
        CASE
          WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(0.7000000709999999555910745741 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          block.class_id,
          BOOL_OR(COALESCE(verdict.fails, TRUE) OR NOT COALESCE(verdict.figure >= CAST(1.999999799 AS DOUBLE) AND verdict.figure <= 1.7976931348623157e308, FALSE)) AS fails,
          MIN(verdict.figure) AS figure,
          SUM(CASE WHEN verdict.fails THEN LEAST(GREATEST(verdict.repair, 0), block.block_size) ELSE 0 END) AS repair
        FROM (
          SELECT
            class_id,
            COUNT(*) < 2 AS fails,
            COUNT(*) AS figure,
            class_size AS repair
          FROM histogram_1
          GROUP BY class_id, class_size
        ) AS verdict
        JOIN block_1 AS block
          ON verdict.class_id = block.block_id
        GROUP BY block.class_id
      ) AS verdict_1
        ON class.class_id = verdict_1.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 10 > unit * 7 AS fails,
          work / unit AS figure,
          class_size * ((work * 10 - unit * 7) / (unit * 3)) AS repair
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
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
    ) AS judged
  ) AS class
) AS measured
CROSS JOIN (
  WITH
  cell AS MATERIALIZED (
    SELECT
      "audited"."class_id" AS q1,
      "audited"."person" AS s1,
      COUNT(*) AS row_count
    FROM (
      WITH source_row AS MATERIALIZED (
        SELECT
          q1.id AS q1,
          q2.id AS q2,
          "source"."person" AS unit_1
        FROM "clinic"."main"."visits" AS source
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
        source_row.unit_1 AS "person"
      FROM source_row
      JOIN released_class
        ON source_row.q1 = released_class.q1 AND source_row.q2 = released_class.q2
    ) AS audited
    GROUP BY "audited"."class_id", "audited"."person"
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
          SELECT "source"."person" AS value, COUNT(*) AS row_count
          FROM (SELECT s1 AS "person" FROM cell) AS source
          GROUP BY "source"."person"
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
      CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0
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
      v1,
      CAST(SUM(row_count) AS BIGINT) AS row_count
    FROM valued_cell AS cell
    GROUP BY q1, v1
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
      ON counted.key_1 IS NOT DISTINCT FROM class.key_1
    WHERE NOT (FALSE)
  )
  SELECT
    CAST(COALESCE(SUM(class_size), 0) AS BIGINT) AS release_rows,
    COUNT(*) AS class_count,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE FALSE), 0) AS BIGINT) AS masked_rows,
    COALESCE(MIN(figure_1), 0) AS measured_1,
    COUNT(*) FILTER (WHERE fails_1) AS failing_classes_1,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_1), 0) AS BIGINT) AS failing_rows_1,
    QUANTILE_DISC(figure_1, [0, 0.25, 0.5, 0.75, 1]) AS figures_1
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
      )
    SELECT
      class_id,
      class_size,
      fails_1 AS fails,
      LEAST(class_size, GREATEST(0, repair_1)) AS repair,
      figure_1,
      fails_1
    FROM (
      SELECT
        class.class_id,
        class.class_size,
        verdict_1.figure AS figure_1,
        (class_size < 3) OR CASE WHEN verdict_1.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(2.999999699 AS DOUBLE) AND verdict_1.figure <= 1.7976931348623157e308, FALSE) END AS fails_1,
        CASE
          WHEN class_size < 3 THEN class_size
          WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_1
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 3 AS fails,
          COUNT(*) AS figure,
          class_size AS repair
        FROM histogram_1
        GROUP BY class_id, class_size
      ) AS verdict_1
        ON class.class_id = verdict_1.class_id
    ) AS judged
  ) AS class
) AS persons;

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
    WHEN NOT COALESCE(empty_rows >= 0 AND empty_rows <= masked_rows AND (source_rows - release_rows + masked_rows - empty_rows) * 5 <= 1 * source_rows, FALSE)
      THEN system.main.error('more rows are suppressed than the policy allows; nothing was changed')
    WHEN NOT COALESCE(class_count > 0 AND failing_classes_1 = 0 AND failing_rows_1 = 0 AND failing_classes_2 = 0 AND failing_rows_2 = 0 AND failing_classes_3 = 0 AND failing_rows_3 = 0, FALSE)
      THEN system.main.error('the release does not give what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_1 BETWEEN CAST(2.999999699 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_2 BETWEEN CAST(1.999999799 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_3 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.7000000709999999555910745741 AS DOUBLE), FALSE)
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
  'ward' AS column_name,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE shown IS NOT NULL), 0) AS BIGINT) AS valued_rows,
  COUNT(shown) AS distinct_values,
  COUNT(shown) FILTER (WHERE row_count = 1) AS unique_rows
FROM (
  SELECT CAST("audited"."ward" AS VARCHAR) COLLATE C AS shown, COUNT(*) AS row_count
  FROM "clinic"."main"."released" AS audited
  GROUP BY CAST("audited"."ward" AS VARCHAR) COLLATE C
) AS valued
UNION ALL
SELECT
  'amount' AS column_name,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE shown IS NOT NULL), 0) AS BIGINT) AS valued_rows,
  COUNT(shown) AS distinct_values,
  COUNT(shown) FILTER (WHERE row_count = 1) AS unique_rows
FROM (
  SELECT "audited"."amount" AS shown, COUNT(*) AS row_count
  FROM "clinic"."main"."released" AS audited
  GROUP BY "audited"."amount"
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
      SELECT '{"person": ' || CAST(COUNT(*) - COUNT("source"."person") AS VARCHAR)
        || ', "zip": ' || CAST(COUNT(*) - COUNT("source"."zip") AS VARCHAR)
        || ', "age": ' || CAST(COUNT(*) - COUNT("source"."age") AS VARCHAR)
        || ', "disease": ' || CAST(COUNT(*) - COUNT("source"."disease") AS VARCHAR)
        || ', "ward": ' || CAST(COUNT(*) - COUNT("source"."ward") AS VARCHAR)
        || ', "amount": ' || CAST(COUNT(*) - COUNT("source"."amount") AS VARCHAR)
        || '}'
      FROM "clinic"."main"."visits" AS source
    ) AS null_rows,
    '[{"name": "k_anonymity", "parameters": {"k": 3, "unit": "person"}, "measured": ' || CASE
      WHEN measured_1 IS NULL THEN 'null'
      WHEN measured_1 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_1 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "distinct_l_diversity", "parameters": {"column": "disease", "jointly": true, "l": 2}, "measured": ' || CASE
      WHEN measured_2 IS NULL THEN 'null'
      WHEN measured_2 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_2 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "t_closeness", "parameters": {"columns": ["disease", "ward"], "t": "0.7", "distance": "equal", "reference": "released"}, "measured": ' || CASE
      WHEN measured_3 IS NULL THEN 'null'
      WHEN measured_3 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_3 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ']' AS guarantees,
    NULL AS settled_rows,
    VERSION() AS engine_version,
    'policy.yml' AS policy,
    '.' AS folder,
    'sha256:8734ada1e7dbfa2444a0371e7a2d5c1e' AS policy_fingerprint,
    '<lock>' AS lock_fingerprint,
    'visits' AS source,
    'sha256:3e3db3e6e2bfce64b1b7a600b39f4e47' AS source_fingerprint,
    'full_domain' AS recoding,
    '{"levels": {"age": 1, "zip": 1}}' AS decision,
    '{"disease": 0, "ward": 0}' AS sensitive_levels,
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
