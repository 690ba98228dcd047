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
      AND system.main.lower(function_name) IN ('*', '+', '-', 'array_extract', 'array_slice', 'count', 'count_star', 'dense_rank', 'duckdb_tables', 'element_at', 'error', 'get_current_timestamp', 'list_extract', 'list_slice', 'list_value', 'map_extract', 'map_extract_value', 'max', 'min', 'now', 'nullif', 'quantile_disc', 'range', 'row', 'struct_extract', 'sum', 'timezone', 'translate', 'unnest', 'version', '||')
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

-- zip_code: level 1 of 2, table zip_code_lines, level 1
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_lookup_1" AS
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
      SELECT CAST("source"."zip_code" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
      FROM "clinic"."main"."original" AS source
      GROUP BY CAST("source"."zip_code" AS VARCHAR) COLLATE C
    ) AS value_count
    FULL JOIN (
      SELECT DISTINCT
        TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
        NULLIF(CAST(field_1 AS VARCHAR) COLLATE C, '') AS label_1
      FROM "clinic"."main"."zip_code_lines" AS line (field_0, field_1)
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

-- age: level 1 of 2, table age_lines, level 1
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_lookup_2" AS
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
      SELECT "source"."age" AS value, COUNT(*) AS row_count
      FROM "clinic"."main"."original" AS source
      GROUP BY "source"."age"
    ) AS value_count
    FULL JOIN (
      SELECT DISTINCT
        TRY_CAST(field_0 AS INTEGER) AS value,
        NULLIF(CAST(field_1 AS VARCHAR) COLLATE C, '') AS label_1
      FROM "clinic"."main"."age_lines" AS line (field_0, field_1)
      WHERE TRY_CAST(field_0 AS INTEGER) IS NOT NULL
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

-- nationality: level 1 of 1, *
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_lookup_3" AS
WITH labelled AS (
  SELECT
    *,
    CASE
      WHEN value IS NULL THEN NULL
      WHEN NOT is_listed THEN 1
    END AS missing_level
  FROM (
    SELECT
      COALESCE(value_count.value, leaf.value) AS value,
      COALESCE(value_count.row_count, 0) AS row_count,
      leaf.value IS NOT NULL AS is_listed
    FROM (
      SELECT CAST("source"."nationality" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
      FROM "clinic"."main"."original" AS source
      GROUP BY CAST("source"."nationality" AS VARCHAR) COLLATE C
    ) AS value_count
    FULL JOIN (
      SELECT DISTINCT
        TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value
      FROM "clinic"."main"."nationality_lines" AS line (field_0, field_1)
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
    CAST('*' AS VARCHAR) COLLATE C AS label
  FROM labelled
  WHERE row_count > 0
)
SELECT
  *,
  CAST(DENSE_RANK() OVER (ORDER BY label ASC NULLS FIRST) AS UINTEGER) AS id
FROM labelled_value;

-- the release: labels in place of values, failing classes left out
CREATE TABLE "clinic"."main"."released" AS
WITH cell AS (
  SELECT
    q1.id AS q1,
    q2.id AS q2,
    q3.id AS q3,
    CAST("source"."condition" AS VARCHAR) COLLATE C AS kept_1,
    COUNT(*) AS row_count
  FROM "clinic"."main"."original" AS source
  JOIN temp.main."sqlgen_lookup_1" AS q1
    ON CAST("source"."zip_code" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_lookup_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  JOIN temp.main."sqlgen_lookup_3" AS q3
    ON CAST("source"."nationality" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q3.value
    AND q3.is_kept
  GROUP BY q1.id, q2.id, q3.id, CAST("source"."condition" AS VARCHAR) COLLATE C
),
sized_cell AS (
  SELECT
    *,
    CAST(SUM(row_count) OVER (PARTITION BY q1, q2, q3) AS BIGINT) AS class_size
  FROM cell
),
released_cell AS (
  SELECT
    named_q1.label AS "zip_code",
    named_q2.label AS "age",
    named_q3.label AS "nationality",
    sized_cell.kept_1 AS "condition",
    sized_cell.row_count AS "copies"
  FROM sized_cell
  JOIN (SELECT DISTINCT id, label FROM temp.main."sqlgen_lookup_1") AS named_q1
    ON sized_cell.q1 = named_q1.id
  JOIN (SELECT DISTINCT id, label FROM temp.main."sqlgen_lookup_2") AS named_q2
    ON sized_cell.q2 = named_q2.id
  JOIN (SELECT DISTINCT id, label FROM temp.main."sqlgen_lookup_3") AS named_q3
    ON sized_cell.q3 = named_q3.id
  WHERE NOT (class_size < 4)
  ORDER BY sized_cell.q1 ASC NULLS FIRST, sized_cell.q2 ASC NULLS FIRST, sized_cell.q3 ASC NULLS FIRST, sized_cell.kept_1 ASC NULLS FIRST
)
SELECT
  "zip_code",
  "age",
  "nationality",
  "condition"
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
  (SELECT COUNT(*) FROM "clinic"."main"."original") AS source_rows,
  (
    0
    + (SELECT COUNT(*) FROM temp.main."sqlgen_lookup_1" WHERE missing_level IS NOT NULL)
    + (SELECT COUNT(*) FROM temp.main."sqlgen_lookup_2" WHERE missing_level IS NOT NULL)
    + (SELECT COUNT(*) FROM temp.main."sqlgen_lookup_3" WHERE missing_level IS NOT NULL)
  ) AS uncovered_values,
  (
    0
    + (SELECT COUNT(value) - COUNT(DISTINCT value) FROM temp.main."sqlgen_lookup_1")
    + (SELECT COUNT(value) - COUNT(DISTINCT value) FROM temp.main."sqlgen_lookup_2")
    + (SELECT COUNT(value) - COUNT(DISTINCT value) FROM temp.main."sqlgen_lookup_3")
  ) AS repeated_values,
  0 AS uncounted_rows,
  0 AS empty_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released') AS release_object
FROM (
  SELECT
    CAST(COALESCE(SUM(class_size), 0) AS BIGINT) AS release_rows,
    COUNT(*) AS class_count,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE FALSE), 0) AS BIGINT) AS masked_rows,
    COALESCE(MIN(class_size), 0) AS measured_1,
    COUNT(*) FILTER (WHERE class_size < 4) AS failing_classes_1,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE class_size < 4), 0) AS BIGINT) AS failing_rows_1,
    QUANTILE_DISC(class_size, [0, 0.25, 0.5, 0.75, 1]) AS figures_1
  FROM (
    SELECT COUNT(*) AS class_size
    FROM "clinic"."main"."released" AS audited
    GROUP BY CAST("audited"."zip_code" AS VARCHAR) COLLATE C, CAST("audited"."age" AS VARCHAR) COLLATE C, CAST("audited"."nationality" AS VARCHAR) COLLATE C
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
    WHEN NOT COALESCE(class_count > 0 AND failing_classes_1 = 0 AND failing_rows_1 = 0, FALSE)
      THEN system.main.error('the release does not give what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_1 BETWEEN CAST(3.999999599 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
  END AS gate
FROM temp.main."sqlgen_audit";

-- rows that are unique by a column beside the quasi-identifiers
SELECT
  'condition' AS column_name,
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  CAST(COALESCE(SUM(row_count) FILTER (WHERE shown IS NOT NULL), 0) AS BIGINT) AS valued_rows,
  COUNT(shown) AS distinct_values,
  COUNT(shown) FILTER (WHERE row_count = 1) AS unique_rows
FROM (
  SELECT CAST("audited"."condition" AS VARCHAR) COLLATE C AS shown, COUNT(*) AS row_count
  FROM "clinic"."main"."released" AS audited
  GROUP BY CAST("audited"."condition" AS VARCHAR) COLLATE C
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
      SELECT '{"zip_code": ' || CAST(COUNT(*) - COUNT("source"."zip_code") AS VARCHAR)
        || ', "age": ' || CAST(COUNT(*) - COUNT("source"."age") AS VARCHAR)
        || ', "nationality": ' || CAST(COUNT(*) - COUNT("source"."nationality") AS VARCHAR)
        || ', "condition": ' || CAST(COUNT(*) - COUNT("source"."condition") AS VARCHAR)
        || '}'
      FROM "clinic"."main"."original" AS source
    ) AS null_rows,
    '[{"name": "k_anonymity", "parameters": {"k": 4}, "measured": ' || CASE
      WHEN measured_1 IS NULL THEN 'null'
      WHEN measured_1 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_1 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ']' AS guarantees,
    NULL AS settled_rows,
    VERSION() AS engine_version,
    'policy.yml' AS policy,
    '.' AS folder,
    'sha256:a67656b9faf1de4174a0dc0e63625e12' AS policy_fingerprint,
    '<lock>' AS lock_fingerprint,
    'original' AS source,
    'sha256:de492d63161ca43963c900a8154cf6ef' AS source_fingerprint,
    'full_domain' AS recoding,
    '{"levels": {"age": 1, "nationality": 1, "zip_code": 1}}' AS decision,
    '{"condition": 0}' AS sensitive_levels,
    '{"zip_code": "md5:714c3a4ccaa00917c37ee159722c2052", "age": "md5:7bfd01b351bde90a37d53f31bceb7e5e", "nationality": "md5:260ddd12ecdf79638f1349f28e499d52"}' AS hierarchies,
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

DROP TABLE IF EXISTS temp.main."sqlgen_lookup_3";

-- from here on the release is visible
COMMIT;

-- what stands now
SELECT
  (SELECT COUNT(*) FROM "clinic"."main"."released") AS release_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released') AS release_object;
