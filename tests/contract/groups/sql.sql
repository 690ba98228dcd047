-- exit: 0
-- stderr: Using policy.lock.

-- release table released and released_sensitive, all or nothing
BEGIN TRANSACTION;

-- stop here where a function or a setting means something else
SELECT
  CASE
    WHEN EXISTS (
      SELECT function_name
      FROM system.main.duckdb_functions()
      WHERE NOT internal
      AND system.main.lower(function_name) IN ('%', '*', '+', '-', '/', '//', 'abs', 'any_value', 'array_extract', 'array_slice', 'bool_or', 'ceil', 'concat', 'count', 'count_star', 'dense_rank', 'duckdb_tables', 'element_at', 'error', 'gcd', 'get_current_timestamp', 'greatest', 'least', 'length', 'list', 'list_extract', 'list_slice', 'list_sort', 'list_value', 'map_extract', 'map_extract_value', 'max', 'md5', 'md5_number', 'min', 'now', 'quantile_disc', 'range', 'repeat', 'row', 'row_number', 'struct_extract', 'substring', 'sum', 'timezone', 'translate', 'unnest', 'version', '||')
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

-- stop here, and undo, where something else has the name
SELECT CASE WHEN COUNT(*) > 0 THEN system.main.error('something has the name of the release; nothing was changed') END AS guard
FROM information_schema.tables
WHERE TRANSLATE(table_catalog, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic'
  AND TRANSLATE(table_schema, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main'
  AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released_sensitive';

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

-- the key that orders rows, from all rows of the source
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_key" AS
SELECT
  CONCAT(
    CAST(SUM(CAST(CONCAT('0x', SUBSTRING(digest, 1, 15)) AS BIGINT)) AS VARCHAR),
    '-',
    CAST(SUM(CAST(CONCAT('0x', SUBSTRING(digest, 16, 15)) AS BIGINT)) AS VARCHAR)
  ) AS hash_key
FROM (
  SELECT
    MD5(
      CONCAT(
        COALESCE(CONCAT(LENGTH(CAST(CAST("source"."name" AS VARCHAR) COLLATE C AS VARCHAR)), ':', CAST(CAST("source"."name" AS VARCHAR) COLLATE C AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST(CAST("source"."zip" AS VARCHAR) COLLATE C AS VARCHAR)), ':', CAST(CAST("source"."zip" AS VARCHAR) COLLATE C AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST("source"."age" AS VARCHAR)), ':', CAST("source"."age" AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST(CAST("source"."disease" AS VARCHAR) COLLATE C AS VARCHAR)), ':', CAST(CAST("source"."disease" AS VARCHAR) COLLATE C AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST("source"."visits" AS VARCHAR)), ':', CAST("source"."visits" AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST("source"."seen" AS VARCHAR)), ':', CAST("source"."seen" AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST("source"."called" AS VARCHAR)), ':', CAST("source"."called" AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST(CAST("source"."weight" AS VARCHAR) COLLATE C AS VARCHAR)), ':', CAST(CAST("source"."weight" AS VARCHAR) COLLATE C AS VARCHAR)), '-')
      )
    ) AS digest
  FROM "clinic"."main"."patients" AS source
) AS source_row;

-- the combinations of values, each with the number of its rows
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_cell" AS
WITH cell AS MATERIALIZED (
  SELECT
    q1.id AS q1,
    q2.id AS q2,
    "source"."visits" AS kept_1,
    CAST("source"."disease" AS VARCHAR) COLLATE C AS value,
    COUNT(*) AS row_count
  FROM "clinic"."main"."patients" AS source
  JOIN temp.main."sqlgen_lookup_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_lookup_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  GROUP BY q1.id, q2.id, "source"."visits", CAST("source"."disease" AS VARCHAR) COLLATE C
),
value_order AS (
  SELECT
    value AS ordered_value,
    CAST(ROW_NUMBER() OVER (ORDER BY -value_rows ASC NULLS FIRST, value ASC NULLS FIRST) AS UINTEGER) AS value_place
  FROM (
    SELECT
      value,
      SUM(SUM(row_count)) OVER (PARTITION BY value) AS value_rows
    FROM cell
    GROUP BY value
  ) AS value_count
)
SELECT
  cell.*,
  value_order.value_place,
CAST(DENSE_RANK() OVER (ORDER BY cell.q1 ASC NULLS FIRST, cell.q2 ASC NULLS FIRST, cell.kept_1 ASC NULLS FIRST) AS UINTEGER) AS label_place
FROM cell
JOIN value_order
  ON cell.value IS NOT DISTINCT FROM value_order.ordered_value;

-- how rows are dealt out to groups of 4 rows or more
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_deal" AS
SELECT
  group_count,
  (
    SELECT MIN(candidate)
    FROM (SELECT UNNEST(RANGE(seed % group_count + 1, seed % group_count + 1001)) AS candidate) AS tried
    WHERE GCD(candidate, group_count) = 1
  ) AS factor,
  shift % group_count AS shift
FROM (
  SELECT
    (SELECT CAST(GREATEST(1, SUM(row_count) // 4) AS BIGINT) FROM temp.main."sqlgen_group_cell") AS group_count,
    CAST(CONCAT('0x', SUBSTRING(MD5(CONCAT(hash_key, ':factor')), 1, 15)) AS BIGINT) AS seed,
    CAST(CONCAT('0x', SUBSTRING(MD5(CONCAT(hash_key, ':shift')), 1, 15)) AS BIGINT) AS shift
  FROM temp.main."sqlgen_group_key"
) AS counted;

-- every row, in its group
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_row" AS
WITH hashed_row AS (
  SELECT
    label_place,
    value_place,
    MD5_NUMBER(CONCAT(hash_key, ',', value_place, ',', label_place, ',', turn)) AS row_hash
  FROM (
    SELECT label_place, value_place, UNNEST(RANGE(row_count)) AS turn
    FROM temp.main."sqlgen_group_cell"
  ) AS turned
  CROSS JOIN temp.main."sqlgen_group_key" AS source_key
),
placed AS (
  SELECT
    label_place,
    value_place,
    ROW_NUMBER() OVER (ORDER BY value_place ASC, row_hash ASC) - 1 AS place
  FROM hashed_row
),
counted AS (
  SELECT CAST(SUM(row_count) AS BIGINT) AS released_rows
  FROM temp.main."sqlgen_group_cell"
)
SELECT
  placed.label_place,
  placed.value_place,
  CAST((placed.place % deal.group_count * deal.factor + deal.shift) % deal.group_count + 1 AS BIGINT) AS raw_group
FROM placed
CROSS JOIN temp.main."sqlgen_group_deal" AS deal;

-- the first table: every row as it is, with its group
CREATE TABLE "clinic"."main"."released" AS
SELECT
  "zip",
  "age",
  "visits",
  "group_id"
FROM (
  SELECT *, UNNEST("held_groups") AS "group_id"
  FROM (
    SELECT
      named_q1.label AS "zip",
      named_q2.label AS "age",
      placed.kept_1 AS "visits",
      held.held_groups AS "held_groups"
    FROM (
      SELECT DISTINCT label_place, q1, q2, kept_1
      FROM temp.main."sqlgen_group_cell"
    ) AS placed
    JOIN (
      SELECT row_group.label_place, LIST_SORT(LIST(row_group.raw_group)) AS held_groups
      FROM temp.main."sqlgen_group_row" AS row_group
      GROUP BY row_group.label_place
    ) AS held
      ON placed.label_place = held.label_place
    JOIN (SELECT DISTINCT id, label FROM temp.main."sqlgen_lookup_1") AS named_q1
      ON placed.q1 = named_q1.id
    JOIN (SELECT DISTINCT id, label FROM temp.main."sqlgen_lookup_2") AS named_q2
      ON placed.q2 = named_q2.id
    ORDER BY placed.label_place ASC
  ) AS sorted_cell
) AS released_row;

-- the second table: the values of each group, with their rows
CREATE TABLE "clinic"."main"."released_sensitive" AS
SELECT
  ((first_place + turn) % group_count * factor + shift) % group_count + 1 AS "group_id",
  value AS "disease",
  value_rows // group_count + CASE WHEN turn < value_rows % group_count THEN 1 ELSE 0 END AS "row_count"
FROM (
  SELECT *, UNNEST(RANGE(LEAST(value_rows, group_count))) AS turn
  FROM (
    SELECT
      value,
      value_rows,
      CAST(SUM(value_rows) OVER (ORDER BY value_place ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - value_rows AS BIGINT) AS first_place,
      ROW_NUMBER() OVER (ORDER BY value ASC NULLS FIRST) AS value_number
    FROM (
      SELECT
        value_place,
        ANY_VALUE(value) AS value,
        CAST(SUM(row_count) AS BIGINT) AS value_rows
      FROM temp.main."sqlgen_group_cell"
      GROUP BY value_place
    ) AS value_count
  ) AS value_span
  CROSS JOIN temp.main."sqlgen_group_deal" AS deal
) AS spread
ORDER BY "group_id" ASC, spread.value_number ASC;

-- both tables of the release, group by group
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_pair_value" AS
SELECT
  value,
  ROW_NUMBER() OVER (ORDER BY value ASC NULLS FIRST) - 1 AS value_number,
  MAX(most_rows) OVER () AS most_rows
FROM (
  SELECT
    CAST("counted"."disease" AS VARCHAR) COLLATE C AS value,
    MAX(CAST("row_count" AS BIGINT)) AS most_rows
  FROM "clinic"."main"."released_sensitive" AS counted
  GROUP BY CAST("counted"."disease" AS VARCHAR) COLLATE C
) AS held_value;

-- both tables of the release, group by group
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_pair_alike" AS
SELECT
  value_group.held,
  value_group.group_rows,
  row_group.group_rows IS DISTINCT FROM value_group.group_rows OR COALESCE(value_group.is_odd, FALSE) AS is_misfit,
  COUNT(*) AS group_count
FROM (
  SELECT CAST("group_id" AS BIGINT) AS group_number, COUNT(*) AS group_rows
  FROM "clinic"."main"."released"
  GROUP BY CAST("group_id" AS BIGINT)
) AS row_group
FULL JOIN (
  SELECT
    CAST(counted."group_id" AS BIGINT) AS group_number,
    LIST_SORT(LIST(numbered.value_number * (numbered.most_rows + 1) + CAST(counted."row_count" AS BIGINT))) AS held,
    SUM(CAST(counted."row_count" AS BIGINT)) AS group_rows,
    BOOL_OR(COALESCE(CAST(counted."row_count" AS BIGINT) < 1, TRUE)) AS is_odd
  FROM "clinic"."main"."released_sensitive" AS counted
  LEFT JOIN temp.main."sqlgen_pair_value" AS numbered
    ON CAST("counted"."disease" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM numbered.value
  GROUP BY CAST(counted."group_id" AS BIGINT)
) AS value_group
  ON row_group.group_number = value_group.group_number
GROUP BY ALL;

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
  (
    SELECT CAST(COALESCE(SUM(group_count) FILTER (WHERE is_misfit), 0) AS BIGINT)
    FROM temp.main."sqlgen_pair_alike"
  ) AS uncounted_rows,
  0 AS empty_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released') AS release_object
FROM (
  WITH
  cell AS MATERIALIZED (
    SELECT
      alike.alike_number AS q1,
      numbered.value AS s1,
      alike.item % (numbered.most_rows + 1) AS row_count,
      alike.group_count
    FROM (
      SELECT alike_number, group_count, UNNEST(held) AS item
      FROM (
        SELECT *, ROW_NUMBER() OVER (ORDER BY held ASC NULLS FIRST, group_rows ASC, is_misfit ASC) AS alike_number
        FROM temp.main."sqlgen_pair_alike"
      ) AS alike_group
    ) AS alike
    JOIN temp.main."sqlgen_pair_value" AS numbered
      ON alike.item // (numbered.most_rows + 1) = numbered.value_number
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
      v1,
      CAST(SUM(row_count) AS BIGINT) AS row_count,
      MIN(group_count) AS group_count
    FROM valued_cell AS cell
    GROUP BY q1, v1
  ),
  class AS MATERIALIZED (
    SELECT
      key_1,
      MIN(group_count) AS group_count,
      ROW_NUMBER() OVER () AS class_id,
      CAST(SUM(row_count) AS BIGINT) AS class_size
    FROM counted
    GROUP BY key_1
  ),
  class_0 AS (
    SELECT class_id, class_size, group_count
    FROM class
    WHERE NOT (FALSE)
  ),
  class_cell_0 AS MATERIALIZED (
    SELECT
      class.class_id,
      class.class_size,
      class.group_count,
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
    QUANTILE_DISC(figure_1, [0, 0.25, 0.5, 0.75, 1]) AS figures_1,
    COALESCE(MIN(figure_2), 0) AS measured_2,
    COUNT(*) FILTER (WHERE fails_2) AS failing_classes_2,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_2), 0) AS BIGINT) AS failing_rows_2,
    QUANTILE_DISC(figure_2, [0, 0.25, 0.5, 0.75, 1]) AS figures_2,
    COALESCE(MAX(figure_3), 0) AS measured_3,
    COUNT(*) FILTER (WHERE fails_3) AS failing_classes_3,
    CAST(COALESCE(SUM(class_size) FILTER (WHERE fails_3), 0) AS BIGINT) AS failing_rows_3,
    QUANTILE_DISC(figure_3, [0, 0.25, 0.5, 0.75, 1]) AS figures_3
  FROM (
    SELECT *, UNNEST(RANGE(group_count)) AS twin
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
            CAST(SUM(row_count * group_count) AS BIGINT) AS reference_count
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
        )
      SELECT
        class_id,
        class_size,
        group_count,
        fails_1 OR fails_2 OR fails_3 AS fails,
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
          class.group_count,
          class_size AS figure_1,
          class_size < 4 AS fails_1,
          CASE WHEN class_size < 4 THEN class_size ELSE 0 END AS repair_1,
          verdict_2.figure AS figure_2,
          CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
          CASE
            WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
            ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
          END AS repair_2,
          verdict_3.figure AS figure_3,
          CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(0.1000000110000000055511156782 AS DOUBLE), FALSE) END AS fails_3,
          CASE
            WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
            ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
          END AS repair_3
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
        LEFT JOIN (
          SELECT
            class_id,
            work * 10 > unit * 1 AS fails,
            work / unit AS figure,
            class_size * ((work * 10 - unit * 1) / (unit * 9)) AS repair
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
      THEN system.main.error('the two tables of the release do not have the same groups; nothing was changed')
    WHEN NOT COALESCE(empty_rows >= 0 AND empty_rows <= masked_rows AND (source_rows - release_rows + masked_rows - empty_rows) * 1 <= 0, FALSE)
      THEN system.main.error('more rows are suppressed than the policy allows; nothing was changed')
    WHEN NOT COALESCE(class_count > 0 AND failing_classes_1 = 0 AND failing_rows_1 = 0 AND failing_classes_2 = 0 AND failing_rows_2 = 0 AND failing_classes_3 = 0 AND failing_rows_3 = 0, FALSE)
      THEN system.main.error('the release does not give what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_1 BETWEEN CAST(3.999999599 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_2 BETWEEN CAST(1.999999799 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_3 BETWEEN CAST(-0.000000001 AS DOUBLE) AND CAST(0.1000000110000000055511156782 AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
  END AS gate
FROM temp.main."sqlgen_audit";

-- rows that are unique by a column beside the quasi-identifiers
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
    '[{"name": "k_anonymity", "parameters": {"k": 4}, "measured": ' || CASE
      WHEN measured_1 IS NULL THEN 'null'
      WHEN measured_1 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_1 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "distinct_l_diversity", "parameters": {"column": "disease", "l": 2}, "measured": ' || CASE
      WHEN measured_2 IS NULL THEN 'null'
      WHEN measured_2 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_2 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "t_closeness", "parameters": {"column": "disease", "t": "0.1", "distance": "equal", "reference": "released"}, "measured": ' || CASE
      WHEN measured_3 IS NULL THEN 'null'
      WHEN measured_3 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_3 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ']' AS guarantees,
    NULL AS settled_rows,
    VERSION() AS engine_version,
    'policy.yml' AS policy,
    '.' AS folder,
    'sha256:6ce2c6b29038994fae1af07b69c52562' AS policy_fingerprint,
    '<lock>' AS lock_fingerprint,
    'patients' AS source,
    'sha256:d70cbb88bf71e0a87bb2dd8260bed2bd' AS source_fingerprint,
    'anatomy' AS recoding,
    '{"size": 4, "levels": {"age": 0, "zip": 0}}' AS decision,
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

DROP TABLE IF EXISTS temp.main."sqlgen_group_key";

DROP TABLE IF EXISTS temp.main."sqlgen_group_cell";

DROP TABLE IF EXISTS temp.main."sqlgen_group_deal";

DROP TABLE IF EXISTS temp.main."sqlgen_group_row";

DROP TABLE IF EXISTS temp.main."sqlgen_pair_value";

DROP TABLE IF EXISTS temp.main."sqlgen_pair_alike";

-- from here on the release is visible
COMMIT;

-- what stands now
SELECT
  (SELECT COUNT(*) FROM "clinic"."main"."released") AS release_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released') AS release_object;
