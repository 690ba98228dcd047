-- exit: 0
-- stderr: Using policy.lock.

-- release view shown, all or nothing
BEGIN TRANSACTION;

-- stop here where a function or a setting means something else
SELECT
  CASE
    WHEN EXISTS (
      SELECT function_name
      FROM system.main.duckdb_functions()
      WHERE NOT internal
      AND system.main.lower(function_name) IN ('%', '*', '+', '-', 'array_extract', 'array_slice', 'ceil', 'count', 'count_star', 'dense_rank', 'duckdb_tables', 'duckdb_views', 'element_at', 'error', 'get_current_timestamp', 'greatest', 'least', 'length', 'list_extract', 'list_slice', 'list_value', 'map_extract', 'map_extract_value', 'max', 'min', 'now', 'quantile_disc', 'repeat', 'row', 'row_number', 'struct_extract', 'substring', 'sum', 'timezone', 'translate', 'version', '||')
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
  AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'shown';

-- zip: level 1 of 2, first 3 characters
CREATE TABLE "clinic"."main"."shown_zip_labels" AS
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
SELECT zip, age, disease, visits FROM patients WHERE visits < 3
) AS source
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
CREATE TABLE "clinic"."main"."shown_age_labels" AS
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
SELECT zip, age, disease, visits FROM patients WHERE visits < 3
) AS source
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
CREATE VIEW "clinic"."main"."shown" AS
WITH labelled_row AS MATERIALIZED (
  SELECT
    q1.id AS q1,
    q1.label AS label_1,
    q2.id AS q2,
    q2.label AS label_2,
    CAST("source"."disease" AS VARCHAR) COLLATE C AS kept_1,
    "source"."visits" AS kept_2,
1 AS class_size
  FROM (
SELECT zip, age, disease, visits FROM patients WHERE visits < 3
) AS source
  JOIN "clinic"."main"."shown_zip_labels" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN "clinic"."main"."shown_age_labels" AS q2
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
  WHERE NOT (class_size < 2)
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
  WHERE NOT (class_size < 2)
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
        class_size < 2 AS fails_1,
        CASE WHEN class_size < 2 THEN class_size ELSE 0 END AS repair_1,
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
  sized_row.kept_2 AS "visits"
FROM sized_row
WHERE NOT (FALSE)
ORDER BY sized_row.q1 ASC NULLS FIRST, sized_row.q2 ASC NULLS FIRST, sized_row.kept_1 ASC NULLS FIRST, sized_row.kept_2 ASC NULLS FIRST;

COMMENT ON TABLE "clinic"."main"."shown_zip_labels" IS 'sqlgen: labels of the view "shown"';

COMMENT ON TABLE "clinic"."main"."shown_age_labels" IS 'sqlgen: labels of the view "shown"';

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
  (SELECT COUNT(*) FROM (
SELECT zip, age, disease, visits FROM patients WHERE visits < 3
)) AS source_rows,
  (
    0
    + (SELECT COUNT(*) FROM "clinic"."main"."shown_zip_labels" WHERE missing_level IS NOT NULL)
    + (SELECT COUNT(*) FROM "clinic"."main"."shown_age_labels" WHERE missing_level IS NOT NULL)
  ) AS uncovered_values,
  (
    0
    + (SELECT COUNT(value) - COUNT(DISTINCT value) FROM "clinic"."main"."shown_zip_labels")
    + (SELECT COUNT(value) - COUNT(DISTINCT value) FROM "clinic"."main"."shown_age_labels")
  ) AS repeated_values,
  0 AS uncounted_rows,
  0 AS empty_rows,
  (SELECT MAX(view_oid) FROM duckdb_views() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(view_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'shown') AS release_object
FROM (
  WITH
  cell AS MATERIALIZED (
    SELECT
      CAST("audited"."zip" AS VARCHAR) COLLATE C AS q1,
      "audited"."age" AS q2,
      CAST("audited"."disease" AS VARCHAR) COLLATE C AS s1,
      COUNT(*) AS row_count
    FROM "clinic"."main"."shown" AS audited
    GROUP BY CAST("audited"."zip" AS VARCHAR) COLLATE C, "audited"."age", CAST("audited"."disease" AS VARCHAR) COLLATE C
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
    COALESCE(MIN(figure_2), 0) AS measured_2,
    COUNT(*) FILTER (WHERE fails_2) AS failing_classes_2,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_2), 0) AS BIGINT) AS failing_rows_2,
    QUANTILE_DISC(figure_2, [0, 0.25, 0.5, 0.75, 1]) AS figures_2
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
        class_size < 2 AS fails_1,
        CASE WHEN class_size < 2 THEN class_size ELSE 0 END AS repair_1,
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
    WHEN NOT COALESCE(empty_rows >= 0 AND empty_rows <= masked_rows AND (source_rows - release_rows + masked_rows - empty_rows) * 10 <= 1 * source_rows, FALSE)
      THEN system.main.error('more rows are suppressed than the policy allows; nothing was changed')
    WHEN NOT COALESCE(class_count > 0 AND failing_classes_1 = 0 AND failing_rows_1 = 0 AND failing_classes_2 = 0 AND failing_rows_2 = 0, FALSE)
      THEN system.main.error('the release does not give what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_1 BETWEEN CAST(1.999999799 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_2 BETWEEN CAST(1.999999799 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
  END AS gate
FROM temp.main."sqlgen_audit";

-- rows that are unique by a column beside the quasi-identifiers
WITH released AS MATERIALIZED (
  SELECT
    "disease",
    "visits"
  FROM "clinic"."main"."shown" AS audited
)
SELECT
  'disease' AS column_name,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE shown IS NOT NULL), 0) AS BIGINT) AS valued_rows,
  COUNT(shown) AS distinct_values,
  COUNT(shown) FILTER (WHERE row_count = 1) AS unique_rows
FROM (
  SELECT CAST("audited"."disease" AS VARCHAR) COLLATE C AS shown, COUNT(*) AS row_count
  FROM released AS audited
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
  FROM released AS audited
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
      SELECT '{"zip": ' || CAST(COUNT(*) - COUNT("source"."zip") AS VARCHAR)
        || ', "age": ' || CAST(COUNT(*) - COUNT("source"."age") AS VARCHAR)
        || ', "disease": ' || CAST(COUNT(*) - COUNT("source"."disease") AS VARCHAR)
        || ', "visits": ' || CAST(COUNT(*) - COUNT("source"."visits") AS VARCHAR)
        || '}'
      FROM (
SELECT zip, age, disease, visits FROM patients WHERE visits < 3
) AS source
    ) AS null_rows,
    '[{"name": "k_anonymity", "parameters": {"k": 2}, "measured": ' || CASE
      WHEN measured_1 IS NULL THEN 'null'
      WHEN measured_1 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_1 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "distinct_l_diversity", "parameters": {"column": "disease", "l": 2}, "measured": ' || CASE
      WHEN measured_2 IS NULL THEN 'null'
      WHEN measured_2 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_2 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ']' AS guarantees,
    NULL AS settled_rows,
    VERSION() AS engine_version,
    'policy.yml' AS policy,
    '.' AS folder,
    'sha256:c6fc6253a77ddeb76aa6df300fb21d30' AS policy_fingerprint,
    '<lock>' AS lock_fingerprint,
    '' AS source,
    'sha256:c5dd0b80739cbf3db1cfa240a43389b2' AS source_fingerprint,
    'full_domain' AS recoding,
    '{"levels": {"age": 0, "zip": 1}}' AS decision,
    '{"disease": 0}' AS sensitive_levels,
    '{}' AS hierarchies,
    'view' AS target_kind,
    'shown' AS target,
    '"main"."shown"' AS place,
    CAST(NULL AS VARCHAR) AS since_column,
    CAST(NULL AS VARCHAR) AS since_type,
    CAST(NULL AS TIMESTAMP) AS since_after,
    CAST(NULL AS TIMESTAMP) AS since_until,
    <version>,
    'SELECT zip, age, disease, visits FROM patients WHERE visits < 3' AS source_query
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

-- from here on the release is visible
COMMIT;

-- what stands now
SELECT
  (SELECT COUNT(*) FROM "clinic"."main"."shown") AS release_rows,
  (SELECT MAX(view_oid) FROM duckdb_views() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(view_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'shown') AS release_object;
