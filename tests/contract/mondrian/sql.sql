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
      AND system.main.lower(function_name) IN ('%', '*', '+', '-', '/', '//', 'abs', 'array_extract', 'array_slice', 'bool_and', 'bool_or', 'ceil', 'contains', 'count', 'count_star', 'dense_rank', 'duckdb_tables', 'element_at', 'error', 'floor', 'get_current_timestamp', 'greatest', 'lead', 'least', 'left', 'len', 'length', 'list', 'list_contains', 'list_extract', 'list_slice', 'list_sort', 'list_value', 'ln', 'map_extract', 'map_extract_value', 'max', 'min', 'now', 'quantile_disc', 'regexp_matches', 'repeat', 'replace', 'row', 'row_number', 'sha256', 'string_agg', 'struct_extract', 'substring', 'sum', 'timezone', 'translate', 'unnest', 'version', '||')
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

-- the labels of zip
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_rung_1" AS
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
leaf AS (
  SELECT
    value,
    row_count,
    missing_level,
    TRUE AS is_kept,
    value AS final_0, CAST(value AS VARCHAR) COLLATE C AS text_0,
    (CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_1
        END) COLLATE C AS final_1, CAST((CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_1
        END) COLLATE C AS VARCHAR) COLLATE C AS text_1
  FROM labelled
)
SELECT
  value,
  row_count,
  missing_level,
  is_kept,
  text_0 AS label_0,
  CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
  text_1 AS label_1,
  CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1
FROM leaf;

-- the labels of age
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_rung_2" AS
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
leaf AS (
  SELECT
    value,
    row_count,
    missing_level,
    TRUE AS is_kept,
    value AS final_0, CAST(value AS VARCHAR) COLLATE C AS text_0,
    (CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_1
        END) COLLATE C AS final_1, CAST((CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_1
        END) COLLATE C AS VARCHAR) COLLATE C AS text_1
  FROM labelled
)
SELECT
  value,
  row_count,
  missing_level,
  is_kept,
  text_0 AS label_0,
  CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
  text_1 AS label_1,
  CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1
FROM leaf;

-- what each label covers
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_label" AS
WITH rung AS (
  SELECT
    1 AS ladder,
    UNNEST([0, 1, 2]) AS level,
    UNNEST([id_0, id_1, CAST(0 AS UINTEGER)]) AS id,
    UNNEST([id_1, CAST(0 AS UINTEGER), CAST(0 AS UINTEGER)]) AS id_above,
    UNNEST([label_0, label_1, CAST('*' AS VARCHAR) COLLATE C]) AS label,
    row_count
  FROM temp.main."sqlgen_rung_1" AS rung
  WHERE is_kept
  UNION ALL
  SELECT
    2 AS ladder,
    UNNEST([0, 1, 2]) AS level,
    UNNEST([id_0, id_1, CAST(0 AS UINTEGER)]) AS id,
    UNNEST([id_1, CAST(0 AS UINTEGER), CAST(0 AS UINTEGER)]) AS id_above,
    UNNEST([label_0, label_1, CAST('*' AS VARCHAR) COLLATE C]) AS label,
    row_count
  FROM temp.main."sqlgen_rung_2" AS rung
  WHERE is_kept
),
label AS (
  SELECT
    ladder,
    level,
    id,
    MIN(id_above) AS id_above,
    MIN(label) AS label,
    COUNT(*) AS leaves,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM rung
  GROUP BY ladder, level, id
),
beside AS (
  SELECT
    *,
    CAST(SUM(leaves) OVER (PARTITION BY ladder, level, id_above) AS BIGINT) AS leaves_above,
    CAST(SUM(row_count) OVER (PARTITION BY ladder, level, id_above) AS BIGINT) AS rows_above
  FROM label
),
measured AS (
  SELECT
    *,
    CAST(FLOOR(LN(GREATEST(leaves, 1)) * 1e12 + 0.5) AS BIGINT) AS log_leaves,
    CAST(FLOOR(LN(GREATEST(row_count, 1)) * 1e12 + 0.5) AS BIGINT) AS log_rows,
    CAST(FLOOR(LN(GREATEST(rows_above, 1)) * 1e12 + 0.5) AS BIGINT) AS log_rows_above
  FROM beside
)
SELECT
  ladder,
  level,
  id,
  label,
  leaves,
  log_leaves,
  log_rows,
  CAST(leaves_above - leaves AS HUGEINT) * CASE ladder WHEN 1 THEN 1000000000 WHEN 2 THEN 333333333 END AS saved,
  DENSE_RANK() OVER (PARTITION BY ladder ORDER BY label ASC NULLS FIRST) AS shown
FROM measured;

-- the values of disease
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_value_1" AS
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
      FROM "clinic"."main"."patients" AS source
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
FROM leaf;

-- the combinations of values, counted
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_cell" AS
WITH counted AS (
  SELECT
    q1.id_0 AS q1_0,
    q2.id_0 AS q2_0,
    v1.id_0 AS v1,
    COUNT(*) AS row_count
  FROM "clinic"."main"."patients" AS source
  JOIN temp.main."sqlgen_rung_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_rung_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  JOIN temp.main."sqlgen_region_value_1" AS v1
    ON CAST("source"."disease" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM v1.value
  GROUP BY q1.id_0, q2.id_0, v1.id_0
)
SELECT
  q1.id_0 AS q1_0, q1.id_1 AS q1_1,
  q2.id_0 AS q2_0, q2.id_1 AS q2_1,
  counted.v1,
  row_count
FROM counted
JOIN (SELECT DISTINCT id_0, id_1 FROM temp.main."sqlgen_rung_1" WHERE is_kept) AS q1
  ON counted.q1_0 = q1.id_0
JOIN (SELECT DISTINCT id_0, id_1 FROM temp.main."sqlgen_rung_2" WHERE is_kept) AS q2
  ON counted.q2_0 = q2.id_0;

-- the order of each column's values
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_place" AS
WITH leaf AS (
  SELECT
    1 AS quasi,
    [BOOL_AND(value IS NOT NULL) OVER (PARTITION BY id_0), id_1, id_0] AS path,
    id_0 AS leaf,
    [id_0, id_1, 0] AS ids,
    [COUNT(*) OVER (PARTITION BY id_0), COUNT(*) OVER (PARTITION BY id_1), COUNT(*) OVER ()] AS sizes,
    label_0 AS text,
    row_count
  FROM temp.main."sqlgen_rung_1" AS rung
  WHERE is_kept
  UNION ALL
  SELECT
    2 AS quasi,
    [id_0] AS path,
    id_0 AS leaf,
    [id_0, id_1, 0] AS ids,
    [COUNT(*) OVER (PARTITION BY id_0), COUNT(*) OVER (PARTITION BY id_1), COUNT(*) OVER ()] AS sizes,
    label_0 AS text,
    row_count
  FROM temp.main."sqlgen_rung_2" AS rung
  WHERE is_kept
),
placed AS (
  SELECT *, CAST(DENSE_RANK() OVER (PARTITION BY quasi ORDER BY path ASC) AS INTEGER) AS place
  FROM leaf
),
place AS (
  SELECT
    quasi,
    place,
    MIN(leaf) AS leaf,
    MIN(ids) AS ids,
    MIN(sizes) AS sizes,
    MIN(text) AS text,
    COUNT(*) AS leaves,
    CAST(SUM(row_count) AS BIGINT) AS source_rows
  FROM placed
  GROUP BY quasi, place
)
SELECT
  quasi,
  place,
  leaf,
  ids,
  sizes,
  text,
  source_rows,
  CAST(SUM(source_rows) OVER (PARTITION BY quasi ORDER BY place ASC) AS BIGINT) AS rows_up_to,
  CAST(SUM(leaves) OVER (PARTITION BY quasi) AS BIGINT) AS column_leaves
FROM place;

-- the place of each value
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_cell" AS
SELECT
  ROW_NUMBER() OVER () AS cell,
  cell.q1_0,
  cell.q1_1,
  cell.q2_0,
  cell.q2_1,
  cell.v1,
  cell.row_count,
  place_1.place AS place_1,
  place_2.place AS place_2,
  CAST(1 AS BIGINT) AS region
FROM temp.main."sqlgen_region_cell" AS cell
JOIN temp.main."sqlgen_cut_place" AS place_1
  ON place_1.quasi = 1
  AND place_1.leaf = cell.q1_0
JOIN temp.main."sqlgen_cut_place" AS place_2
  ON place_2.quasi = 2
  AND place_2.leaf = cell.q2_0;

-- round 1 of 3: where each region may be cut
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_candidate_0" AS
WITH
column_cell AS (
  SELECT
    region * 3 + UNNEST([1, 2]) AS region_column,
    UNNEST([place_1, place_2]) AS place,
    row_count
  FROM temp.main."sqlgen_cut_cell"
),
held AS MATERIALIZED (
  SELECT region_column, place, CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM column_cell
  GROUP BY region_column, place
),
held_column AS (
  SELECT
    region_column,
    MIN(place) AS first_place,
    MAX(place) AS last_place,
    COUNT(*) AS places_here,
    CAST(SUM(row_count) AS BIGINT) AS rows_here
  FROM held
  GROUP BY region_column
),
boundary AS (
  SELECT
    region_column,
    place,
    LEAD(place) OVER along AS next_place,
    ROW_NUMBER() OVER along AS places_below,
    CAST(SUM(row_count) OVER along AS BIGINT) AS rows_below
  FROM held
  WINDOW along AS (PARTITION BY region_column ORDER BY place ASC ROWS UNBOUNDED PRECEDING)
),
sized AS (
  SELECT
    region_column // 3 AS region,
    CAST(region_column % 3 AS INTEGER) AS quasi,
    * EXCLUDE (region_column, class_size)
  FROM (
    SELECT * REPLACE (rows_here - rows_below AS class_size)
    FROM (
      SELECT boundary.*, held_column.* EXCLUDE (region_column), boundary.rows_below AS class_size
      FROM boundary
      JOIN held_column
        ON boundary.region_column = held_column.region_column
      WHERE boundary.next_place IS NOT NULL
    ) AS lower_side
    WHERE NOT (class_size < 4)
  ) AS upper_side
  WHERE NOT (class_size < 4)
),
covered AS (
  SELECT
    sized.*,
    first_end.column_leaves AS column_leaves,
    CASE sized.quasi WHEN 1 THEN places_here WHEN 2 THEN sized.last_place - sized.first_place + 1 END AS leaves_here,
    CASE sized.quasi WHEN 1 THEN places_below WHEN 2 THEN sized.place - sized.first_place + 1 END AS leaves_below,
    CASE sized.quasi WHEN 1 THEN places_here - places_below WHEN 2 THEN sized.last_place - sized.next_place + 1 END AS leaves_above
  FROM sized
  LEFT JOIN temp.main."sqlgen_cut_place" AS first_end
    ON first_end.quasi = sized.quasi
    AND first_end.place = sized.first_place
),
gained AS (
  SELECT
    region,
    quasi,
    place,
    rows_below,
    rows_here,
    CAST(leaves_here AS DOUBLE) / column_leaves AS width,
    (CAST(rows_below AS HUGEINT) * (leaves_here - leaves_below) + CAST(rows_here - rows_below AS HUGEINT) * (leaves_here - leaves_above)) * CASE quasi WHEN 1 THEN 1000000000 WHEN 2 THEN 333333333 END AS gain
  FROM covered
),
ranked AS (
  SELECT
    *,
    ROW_NUMBER() OVER (
      PARTITION BY region, quasi
      ORDER BY gain DESC, ABS(2 * rows_below - rows_here) ASC, place ASC
    ) AS choice,
    ROW_NUMBER() OVER (
      PARTITION BY region, quasi, 0
      ORDER BY 0 DESC, ABS(2 * rows_below - rows_here) ASC, place ASC
    ) AS choice_beside
  FROM gained
)
SELECT region, quasi, place, rows_below, rows_here, width, gain, choice
FROM ranked
WHERE choice = 1 OR choice_beside = 1;

-- round 1 of 3: its cut
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_0" AS
WITH
counted AS MATERIALIZED (
  SELECT
    region AS key_1,
    quasi AS key_2,
    place AS key_3,
    is_below AS key_4,
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM (
  SELECT
    cell.region,
    candidate.quasi,
    candidate.place,
    CASE candidate.quasi WHEN 1 THEN cell.place_1 WHEN 2 THEN cell.place_2 END <= candidate.place AS is_below,
    cell.v1,
    cell.row_count
  FROM temp.main."sqlgen_cut_cell" AS cell
  JOIN temp.main."sqlgen_cut_candidate_0" AS candidate
    ON cell.region = candidate.region
) AS cell
  GROUP BY region, quasi, place, is_below, v1
),
class AS MATERIALIZED (
  SELECT
    key_1,
    key_2,
    key_3,
    key_4,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY key_1, key_2, key_3, key_4
),
class_0 AS (
  SELECT class_id, class_size
  FROM class
  WHERE NOT (class_size < 4)
),
class_cell_0 AS MATERIALIZED (
  SELECT
    class.class_id,
    class.class_size,
    counted.v1,
    counted.row_count
  FROM counted
  JOIN class
    ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2 AND counted.key_3 IS NOT DISTINCT FROM class.key_3 AND counted.key_4 IS NOT DISTINCT FROM class.key_4
  WHERE NOT (class_size < 4)
),
allowed AS (
  SELECT class.key_1 AS region, class.key_2 AS quasi, class.key_3 AS place
  FROM class
  LEFT JOIN (
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
        class_size < 4 AS fails_1,
        CASE WHEN class_size < 4 THEN class_size ELSE 0 END AS repair_1,
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
  GROUP BY class.key_1, class.key_2, class.key_3
  HAVING BOOL_AND(COALESCE(NOT verdict.fails, FALSE))
)
SELECT region, quasi, place, rows_below, rows_here, ROW_NUMBER() OVER (ORDER BY region ASC) AS number
FROM (
  SELECT
    candidate.region,
    candidate.quasi,
    candidate.place,
    candidate.rows_below,
    candidate.rows_here,
    ROW_NUMBER() OVER (
      PARTITION BY candidate.region
      ORDER BY candidate.width DESC, candidate.quasi ASC, candidate.choice ASC, candidate.place ASC
    ) AS preference
  FROM temp.main."sqlgen_cut_candidate_0" AS candidate
  JOIN allowed
    ON candidate.region = allowed.region
    AND candidate.quasi = allowed.quasi
    AND candidate.place = allowed.place
) AS preferred
WHERE preference = 1;

-- round 1 of 3: regions
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_region_1" AS
SELECT
  cell.cell,
  cell.place_1,
  cell.place_2,
  cell.v1,
  cell.row_count,
  2 * cut.number - CASE
    WHEN CASE cut.quasi WHEN 1 THEN cell.place_1 WHEN 2 THEN cell.place_2 END <= cut.place THEN 1
    ELSE 0
  END AS region
FROM temp.main."sqlgen_cut_cell" AS cell
JOIN temp.main."sqlgen_cut_0" AS cut
  ON cell.region = cut.region;

-- round 2 of 3: where each region may be cut
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_candidate_1" AS
WITH
open_column AS (
  SELECT cut_side.region, candidate.quasi
  FROM (
    SELECT region AS region_above, 2 * number - 1 AS region, rows_below // 2 AS class_size
    FROM temp.main."sqlgen_cut_0"
    UNION ALL
    SELECT region AS region_above, 2 * number AS region, (rows_here - rows_below) // 2 AS class_size
    FROM temp.main."sqlgen_cut_0"
  ) AS cut_side
  JOIN (SELECT DISTINCT region, quasi FROM temp.main."sqlgen_cut_candidate_0") AS candidate
    ON cut_side.region_above = candidate.region
  WHERE NOT (class_size < 4)
),
column_cell AS (
  SELECT
    cell.region * 3 + open_column.quasi AS region_column,
    CASE open_column.quasi WHEN 1 THEN cell.place_1 WHEN 2 THEN cell.place_2 END AS place,
    cell.row_count
  FROM temp.main."sqlgen_cut_region_1" AS cell
  JOIN open_column
    ON cell.region = open_column.region
),
held AS MATERIALIZED (
  SELECT region_column, place, CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM column_cell
  GROUP BY region_column, place
),
held_column AS (
  SELECT
    region_column,
    MIN(place) AS first_place,
    MAX(place) AS last_place,
    COUNT(*) AS places_here,
    CAST(SUM(row_count) AS BIGINT) AS rows_here
  FROM held
  GROUP BY region_column
),
boundary AS (
  SELECT
    region_column,
    place,
    LEAD(place) OVER along AS next_place,
    ROW_NUMBER() OVER along AS places_below,
    CAST(SUM(row_count) OVER along AS BIGINT) AS rows_below
  FROM held
  WINDOW along AS (PARTITION BY region_column ORDER BY place ASC ROWS UNBOUNDED PRECEDING)
),
sized AS (
  SELECT
    region_column // 3 AS region,
    CAST(region_column % 3 AS INTEGER) AS quasi,
    * EXCLUDE (region_column, class_size)
  FROM (
    SELECT * REPLACE (rows_here - rows_below AS class_size)
    FROM (
      SELECT boundary.*, held_column.* EXCLUDE (region_column), boundary.rows_below AS class_size
      FROM boundary
      JOIN held_column
        ON boundary.region_column = held_column.region_column
      WHERE boundary.next_place IS NOT NULL
    ) AS lower_side
    WHERE NOT (class_size < 4)
  ) AS upper_side
  WHERE NOT (class_size < 4)
),
covered AS (
  SELECT
    sized.*,
    first_end.column_leaves AS column_leaves,
    CASE sized.quasi WHEN 1 THEN places_here WHEN 2 THEN sized.last_place - sized.first_place + 1 END AS leaves_here,
    CASE sized.quasi WHEN 1 THEN places_below WHEN 2 THEN sized.place - sized.first_place + 1 END AS leaves_below,
    CASE sized.quasi WHEN 1 THEN places_here - places_below WHEN 2 THEN sized.last_place - sized.next_place + 1 END AS leaves_above
  FROM sized
  LEFT JOIN temp.main."sqlgen_cut_place" AS first_end
    ON first_end.quasi = sized.quasi
    AND first_end.place = sized.first_place
),
gained AS (
  SELECT
    region,
    quasi,
    place,
    rows_below,
    rows_here,
    CAST(leaves_here AS DOUBLE) / column_leaves AS width,
    (CAST(rows_below AS HUGEINT) * (leaves_here - leaves_below) + CAST(rows_here - rows_below AS HUGEINT) * (leaves_here - leaves_above)) * CASE quasi WHEN 1 THEN 1000000000 WHEN 2 THEN 333333333 END AS gain
  FROM covered
),
ranked AS (
  SELECT
    *,
    ROW_NUMBER() OVER (
      PARTITION BY region, quasi
      ORDER BY gain DESC, ABS(2 * rows_below - rows_here) ASC, place ASC
    ) AS choice,
    ROW_NUMBER() OVER (
      PARTITION BY region, quasi, 0
      ORDER BY 0 DESC, ABS(2 * rows_below - rows_here) ASC, place ASC
    ) AS choice_beside
  FROM gained
)
SELECT region, quasi, place, rows_below, rows_here, width, gain, choice
FROM ranked
WHERE choice = 1 OR choice_beside = 1;

-- round 2 of 3: its cut
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_1" AS
WITH
counted AS MATERIALIZED (
  SELECT
    region AS key_1,
    quasi AS key_2,
    place AS key_3,
    is_below AS key_4,
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM (
  SELECT
    cell.region,
    candidate.quasi,
    candidate.place,
    CASE candidate.quasi WHEN 1 THEN cell.place_1 WHEN 2 THEN cell.place_2 END <= candidate.place AS is_below,
    cell.v1,
    cell.row_count
  FROM temp.main."sqlgen_cut_region_1" AS cell
  JOIN temp.main."sqlgen_cut_candidate_1" AS candidate
    ON cell.region = candidate.region
) AS cell
  GROUP BY region, quasi, place, is_below, v1
),
class AS MATERIALIZED (
  SELECT
    key_1,
    key_2,
    key_3,
    key_4,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY key_1, key_2, key_3, key_4
),
class_0 AS (
  SELECT class_id, class_size
  FROM class
  WHERE NOT (class_size < 4)
),
class_cell_0 AS MATERIALIZED (
  SELECT
    class.class_id,
    class.class_size,
    counted.v1,
    counted.row_count
  FROM counted
  JOIN class
    ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2 AND counted.key_3 IS NOT DISTINCT FROM class.key_3 AND counted.key_4 IS NOT DISTINCT FROM class.key_4
  WHERE NOT (class_size < 4)
),
allowed AS (
  SELECT class.key_1 AS region, class.key_2 AS quasi, class.key_3 AS place
  FROM class
  LEFT JOIN (
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
        class_size < 4 AS fails_1,
        CASE WHEN class_size < 4 THEN class_size ELSE 0 END AS repair_1,
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
  GROUP BY class.key_1, class.key_2, class.key_3
  HAVING BOOL_AND(COALESCE(NOT verdict.fails, FALSE))
)
SELECT region, quasi, place, rows_below, rows_here, ROW_NUMBER() OVER (ORDER BY region ASC) AS number
FROM (
  SELECT
    candidate.region,
    candidate.quasi,
    candidate.place,
    candidate.rows_below,
    candidate.rows_here,
    ROW_NUMBER() OVER (
      PARTITION BY candidate.region
      ORDER BY candidate.width DESC, candidate.quasi ASC, candidate.choice ASC, candidate.place ASC
    ) AS preference
  FROM temp.main."sqlgen_cut_candidate_1" AS candidate
  JOIN allowed
    ON candidate.region = allowed.region
    AND candidate.quasi = allowed.quasi
    AND candidate.place = allowed.place
) AS preferred
WHERE preference = 1;

-- round 2 of 3: regions
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_region_2" AS
SELECT
  cell.cell,
  cell.place_1,
  cell.place_2,
  cell.v1,
  cell.row_count,
  2 * cut.number - CASE
    WHEN CASE cut.quasi WHEN 1 THEN cell.place_1 WHEN 2 THEN cell.place_2 END <= cut.place THEN 1
    ELSE 0
  END AS region
FROM temp.main."sqlgen_cut_region_1" AS cell
JOIN temp.main."sqlgen_cut_1" AS cut
  ON cell.region = cut.region;

-- round 3 of 3: where each region may be cut
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_candidate_2" AS
WITH
open_column AS (
  SELECT cut_side.region, candidate.quasi
  FROM (
    SELECT region AS region_above, 2 * number - 1 AS region, rows_below // 2 AS class_size
    FROM temp.main."sqlgen_cut_1"
    UNION ALL
    SELECT region AS region_above, 2 * number AS region, (rows_here - rows_below) // 2 AS class_size
    FROM temp.main."sqlgen_cut_1"
  ) AS cut_side
  JOIN (SELECT DISTINCT region, quasi FROM temp.main."sqlgen_cut_candidate_1") AS candidate
    ON cut_side.region_above = candidate.region
  WHERE NOT (class_size < 4)
),
column_cell AS (
  SELECT
    cell.region * 3 + open_column.quasi AS region_column,
    CASE open_column.quasi WHEN 1 THEN cell.place_1 WHEN 2 THEN cell.place_2 END AS place,
    cell.row_count
  FROM temp.main."sqlgen_cut_region_2" AS cell
  JOIN open_column
    ON cell.region = open_column.region
),
held AS MATERIALIZED (
  SELECT region_column, place, CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM column_cell
  GROUP BY region_column, place
),
held_column AS (
  SELECT
    region_column,
    MIN(place) AS first_place,
    MAX(place) AS last_place,
    COUNT(*) AS places_here,
    CAST(SUM(row_count) AS BIGINT) AS rows_here
  FROM held
  GROUP BY region_column
),
boundary AS (
  SELECT
    region_column,
    place,
    LEAD(place) OVER along AS next_place,
    ROW_NUMBER() OVER along AS places_below,
    CAST(SUM(row_count) OVER along AS BIGINT) AS rows_below
  FROM held
  WINDOW along AS (PARTITION BY region_column ORDER BY place ASC ROWS UNBOUNDED PRECEDING)
),
sized AS (
  SELECT
    region_column // 3 AS region,
    CAST(region_column % 3 AS INTEGER) AS quasi,
    * EXCLUDE (region_column, class_size)
  FROM (
    SELECT * REPLACE (rows_here - rows_below AS class_size)
    FROM (
      SELECT boundary.*, held_column.* EXCLUDE (region_column), boundary.rows_below AS class_size
      FROM boundary
      JOIN held_column
        ON boundary.region_column = held_column.region_column
      WHERE boundary.next_place IS NOT NULL
    ) AS lower_side
    WHERE NOT (class_size < 4)
  ) AS upper_side
  WHERE NOT (class_size < 4)
),
covered AS (
  SELECT
    sized.*,
    first_end.column_leaves AS column_leaves,
    CASE sized.quasi WHEN 1 THEN places_here WHEN 2 THEN sized.last_place - sized.first_place + 1 END AS leaves_here,
    CASE sized.quasi WHEN 1 THEN places_below WHEN 2 THEN sized.place - sized.first_place + 1 END AS leaves_below,
    CASE sized.quasi WHEN 1 THEN places_here - places_below WHEN 2 THEN sized.last_place - sized.next_place + 1 END AS leaves_above
  FROM sized
  LEFT JOIN temp.main."sqlgen_cut_place" AS first_end
    ON first_end.quasi = sized.quasi
    AND first_end.place = sized.first_place
),
gained AS (
  SELECT
    region,
    quasi,
    place,
    rows_below,
    rows_here,
    CAST(leaves_here AS DOUBLE) / column_leaves AS width,
    (CAST(rows_below AS HUGEINT) * (leaves_here - leaves_below) + CAST(rows_here - rows_below AS HUGEINT) * (leaves_here - leaves_above)) * CASE quasi WHEN 1 THEN 1000000000 WHEN 2 THEN 333333333 END AS gain
  FROM covered
),
ranked AS (
  SELECT
    *,
    ROW_NUMBER() OVER (
      PARTITION BY region, quasi
      ORDER BY gain DESC, ABS(2 * rows_below - rows_here) ASC, place ASC
    ) AS choice,
    ROW_NUMBER() OVER (
      PARTITION BY region, quasi, 0
      ORDER BY 0 DESC, ABS(2 * rows_below - rows_here) ASC, place ASC
    ) AS choice_beside
  FROM gained
)
SELECT region, quasi, place, rows_below, rows_here, width, gain, choice
FROM ranked
WHERE choice = 1 OR choice_beside = 1;

-- round 3 of 3: its cut
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_2" AS
WITH
counted AS MATERIALIZED (
  SELECT
    region AS key_1,
    quasi AS key_2,
    place AS key_3,
    is_below AS key_4,
    v1,
    CAST(SUM(row_count) AS BIGINT) AS row_count
  FROM (
  SELECT
    cell.region,
    candidate.quasi,
    candidate.place,
    CASE candidate.quasi WHEN 1 THEN cell.place_1 WHEN 2 THEN cell.place_2 END <= candidate.place AS is_below,
    cell.v1,
    cell.row_count
  FROM temp.main."sqlgen_cut_region_2" AS cell
  JOIN temp.main."sqlgen_cut_candidate_2" AS candidate
    ON cell.region = candidate.region
) AS cell
  GROUP BY region, quasi, place, is_below, v1
),
class AS MATERIALIZED (
  SELECT
    key_1,
    key_2,
    key_3,
    key_4,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY key_1, key_2, key_3, key_4
),
class_0 AS (
  SELECT class_id, class_size
  FROM class
  WHERE NOT (class_size < 4)
),
class_cell_0 AS MATERIALIZED (
  SELECT
    class.class_id,
    class.class_size,
    counted.v1,
    counted.row_count
  FROM counted
  JOIN class
    ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2 AND counted.key_3 IS NOT DISTINCT FROM class.key_3 AND counted.key_4 IS NOT DISTINCT FROM class.key_4
  WHERE NOT (class_size < 4)
),
allowed AS (
  SELECT class.key_1 AS region, class.key_2 AS quasi, class.key_3 AS place
  FROM class
  LEFT JOIN (
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
        class_size < 4 AS fails_1,
        CASE WHEN class_size < 4 THEN class_size ELSE 0 END AS repair_1,
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
  GROUP BY class.key_1, class.key_2, class.key_3
  HAVING BOOL_AND(COALESCE(NOT verdict.fails, FALSE))
)
SELECT region, quasi, place, rows_below, rows_here, ROW_NUMBER() OVER (ORDER BY region ASC) AS number
FROM (
  SELECT
    candidate.region,
    candidate.quasi,
    candidate.place,
    candidate.rows_below,
    candidate.rows_here,
    ROW_NUMBER() OVER (
      PARTITION BY candidate.region
      ORDER BY candidate.width DESC, candidate.quasi ASC, candidate.choice ASC, candidate.place ASC
    ) AS preference
  FROM temp.main."sqlgen_cut_candidate_2" AS candidate
  JOIN allowed
    ON candidate.region = allowed.region
    AND candidate.quasi = allowed.quasi
    AND candidate.place = allowed.place
) AS preferred
WHERE preference = 1;

-- round 3 of 3: regions
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_region_3" AS
SELECT
  cell.cell,
  cell.place_1,
  cell.place_2,
  cell.v1,
  cell.row_count,
  2 * cut.number - CASE
    WHEN CASE cut.quasi WHEN 1 THEN cell.place_1 WHEN 2 THEN cell.place_2 END <= cut.place THEN 1
    ELSE 0
  END AS region
FROM temp.main."sqlgen_cut_region_2" AS cell
JOIN temp.main."sqlgen_cut_2" AS cut
  ON cell.region = cut.region;

-- the regions that are left
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_left" AS
SELECT cell, place_1, place_2, CAST(0 AS BIGINT) * 1099511627776 + region AS region
FROM temp.main."sqlgen_cut_cell"
WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_0")
UNION ALL
SELECT cell, place_1, place_2, CAST(1 AS BIGINT) * 1099511627776 + region AS region
FROM temp.main."sqlgen_cut_region_1"
WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_1")
UNION ALL
SELECT cell, place_1, place_2, CAST(2 AS BIGINT) * 1099511627776 + region AS region
FROM temp.main."sqlgen_cut_region_2"
WHERE region NOT IN (SELECT region FROM temp.main."sqlgen_cut_2")
UNION ALL
SELECT cell, place_1, place_2, CAST(3 AS BIGINT) * 1099511627776 + region AS region
FROM temp.main."sqlgen_cut_region_3"
WHERE TRUE;

-- what each region spans
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_extent" AS
SELECT
  region,
  MIN(place_1) AS first_1, MAX(place_1) AS last_1,
  MIN(place_2) AS first_2, MAX(place_2) AS last_2
FROM temp.main."sqlgen_cut_left"
GROUP BY region;

-- what each region spans
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_member" AS
WITH held AS (
  SELECT DISTINCT region_column, place
  FROM (
    SELECT
      left_cell.region * 3 + UNNEST([1]) AS region_column,
      UNNEST([CASE WHEN extent.first_1 < extent.last_1 THEN left_cell.place_1 END]) AS place
    FROM temp.main."sqlgen_cut_left" AS left_cell
    JOIN temp.main."sqlgen_cut_extent" AS extent
      ON left_cell.region = extent.region
  ) AS column_cell
  WHERE place IS NOT NULL
)
SELECT
  region_column // 3 AS region,
  CAST(region_column % 3 AS INTEGER) AS quasi,
  LIST(place ORDER BY place ASC) AS members
FROM held
GROUP BY region_column
HAVING COUNT(*) <= 100;

-- what regions span, each once
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_span" AS
WITH span AS (
  SELECT DISTINCT
    placed.quasi,
    placed.first_place,
    placed.last_place,
member.members
  FROM (
    SELECT
      region,
      UNNEST([1, 2]) AS quasi,
      UNNEST([first_1, first_2]) AS first_place,
      UNNEST([last_1, last_2]) AS last_place
    FROM temp.main."sqlgen_cut_extent"
  ) AS placed
  LEFT JOIN temp.main."sqlgen_cut_member" AS member
    ON placed.region = member.region AND placed.quasi = member.quasi
)
SELECT
  ROW_NUMBER() OVER () AS number,
  span.quasi,
  span.first_place,
  span.last_place,
  span.members,
  CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END AS level,
  first.ids[CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END + 1] AS level_id
FROM span
JOIN temp.main."sqlgen_cut_place" AS first
  ON first.quasi = span.quasi AND first.place = span.first_place
JOIN temp.main."sqlgen_cut_place" AS last
  ON last.quasi = span.quasi AND last.place = span.last_place;

-- the labels of regions' own
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_own_label" AS
WITH own_span AS (
  SELECT *
  FROM temp.main."sqlgen_cut_span"
  WHERE first_place < last_place
),
member AS (
  SELECT number, quasi, UNNEST(members) AS place
  FROM own_span
  WHERE members IS NOT NULL
),
set_span AS (
  SELECT
    member.number,
    '{' || STRING_AGG((CASE
  WHEN place.text IS NULL THEN 'NULL'
  WHEN place.text IN ('', 'NULL') OR REGEXP_MATCHES(place.text, '[",\[\]{}]|^[\s\v\p{Z}]|[\s\v\p{Z}]$')
    THEN '"' || REPLACE(place.text, '"', '""') || '"'
  ELSE place.text
END) COLLATE C, ', ' ORDER BY place.place ASC) || '}' AS span,
    CAST(SUM(place.source_rows) AS BIGINT) AS source_rows
  FROM member
  JOIN temp.main."sqlgen_cut_place" AS place
    ON member.quasi = place.quasi AND member.place = place.place
  GROUP BY member.number
),
spanned AS (
  SELECT
    own_span.*,
    COALESCE(set_span.span, '[' || (CASE
  WHEN first.text IS NULL THEN 'NULL'
  WHEN first.text IN ('', 'NULL') OR REGEXP_MATCHES(first.text, '[",\[\]{}]|^[\s\v\p{Z}]|[\s\v\p{Z}]$')
    THEN '"' || REPLACE(first.text, '"', '""') || '"'
  ELSE first.text
END) COLLATE C || ', ' || (CASE
  WHEN last.text IS NULL THEN 'NULL'
  WHEN last.text IN ('', 'NULL') OR REGEXP_MATCHES(last.text, '[",\[\]{}]|^[\s\v\p{Z}]|[\s\v\p{Z}]$')
    THEN '"' || REPLACE(last.text, '"', '""') || '"'
  ELSE last.text
END) COLLATE C || ']') AS span,
    COALESCE(LEN(own_span.members), last.place - first.place + 1) AS leaves,
    COALESCE(set_span.source_rows, last.rows_up_to - first.rows_up_to + first.source_rows) AS source_rows
  FROM own_span
  JOIN temp.main."sqlgen_cut_place" AS first
    ON own_span.quasi = first.quasi AND own_span.first_place = first.place
  JOIN temp.main."sqlgen_cut_place" AS last
    ON own_span.quasi = last.quasi AND own_span.last_place = last.place
  LEFT JOIN set_span
    ON own_span.number = set_span.number
)
SELECT
  spanned.number,
  spanned.quasi,
  CAST(DENSE_RANK() OVER (PARTITION BY spanned.quasi ORDER BY spanned.span ASC) - 1 AS UINTEGER) AS id,
  spanned.span,
  CASE WHEN spanned.quasi = 1 OR spanned.quasi = 2 THEN spanned.span ELSE label.label END AS label,
  CASE WHEN spanned.quasi = 1 OR spanned.quasi = 2 THEN 1000 ELSE spanned.level END AS shown_level,
  spanned.level,
  spanned.first_place,
  spanned.last_place,
  spanned.members,
  CASE WHEN spanned.quasi = 1 OR spanned.quasi = 2 THEN spanned.leaves ELSE label.leaves END AS leaves,
  spanned.source_rows
FROM spanned
JOIN temp.main."sqlgen_region_label" AS label
  ON spanned.quasi = label.ladder AND spanned.level = label.level AND spanned.level_id = label.id;

-- the labels of regions' own
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_label" AS
SELECT
  *,
  DENSE_RANK() OVER (PARTITION BY ladder ORDER BY label ASC NULLS FIRST) AS shown
FROM (
  SELECT ladder, level, id, label, leaves, log_leaves, log_rows, label AS span, level AS shown_level
  FROM temp.main."sqlgen_region_label"
  WHERE level < 1000
  UNION ALL
  SELECT
    quasi AS ladder,
    1000 AS level,
    id,
    label,
    leaves,
    CAST(FLOOR(LN(GREATEST(leaves, 1)) * 1e12 + 0.5) AS BIGINT) AS log_leaves,
    CAST(FLOOR(LN(GREATEST(source_rows, 1)) * 1e12 + 0.5) AS BIGINT) AS log_rows,
    span,
    shown_level
  FROM temp.main."sqlgen_own_label"
) AS label;

-- the labels of each region
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_shown" AS
WITH named AS MATERIALIZED (
  SELECT span.*, CASE WHEN own_label.id IS NOT NULL THEN 1000 ELSE span.level END AS shown_level, own_label.id AS own_id
  FROM temp.main."sqlgen_cut_span" AS span
  LEFT JOIN temp.main."sqlgen_own_label" AS own_label
    ON span.number = own_label.number
)
SELECT
  extent.*,
  named_1.number AS span_1, named_1.shown_level AS level_1, named_1.own_id AS own_1,
  named_2.number AS span_2, named_2.shown_level AS level_2, named_2.own_id AS own_2
FROM temp.main."sqlgen_cut_extent" AS extent
LEFT JOIN temp.main."sqlgen_cut_member" AS part_1
  ON part_1.region = extent.region AND part_1.quasi = 1
JOIN named AS named_1
  ON named_1.quasi = 1
  AND named_1.first_place = extent.first_1
  AND named_1.last_place = extent.last_1
  AND named_1.members IS NOT DISTINCT FROM part_1.members
JOIN named AS named_2
  ON named_2.quasi = 2
  AND named_2.first_place = extent.first_2
  AND named_2.last_place = extent.last_2;

-- the labels of each combination's region
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_0" AS
SELECT
  cell.q1_0,
  cell.q1_1,
  cell.q2_0,
  cell.q2_1,
  cell.v1,
  cell.row_count,
  left_cell.region,
  shown.level_1,
  shown.level_2,
  shown.own_1,
  shown.own_2
FROM temp.main."sqlgen_cut_cell" AS cell
JOIN temp.main."sqlgen_cut_left" AS left_cell
  ON cell.cell = left_cell.cell
JOIN temp.main."sqlgen_cut_shown" AS shown
  ON left_cell.region = shown.region;

-- the regions, to be kept beside the ledger
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_tree" AS
WITH RECURSIVE cut AS MATERIALIZED (
  SELECT 0 AS round, region, number
  FROM temp.main."sqlgen_cut_0"
  UNION ALL
  SELECT 1 AS round, region, number
  FROM temp.main."sqlgen_cut_1"
  UNION ALL
  SELECT 2 AS round, region, number
  FROM temp.main."sqlgen_cut_2"
  UNION ALL
  SELECT 3 AS round, region, number
  FROM (SELECT CAST(NULL AS BIGINT) AS region, CAST(NULL AS BIGINT) AS number) AS none
),
leaf AS MATERIALIZED (
  SELECT
    region // 1099511627776 AS round,
    region % 1099511627776 AS cut_region,
    TRUE AS is_shown,
    first_1, last_1, span_1,
    first_2, last_2, span_2
  FROM temp.main."sqlgen_cut_shown"
),
node AS (
  SELECT *
  FROM leaf
  WHERE round = 3
  UNION ALL
  SELECT *
  FROM (
    SELECT
      round,
      cut_region,
      FALSE AS is_shown,
      MIN(first_1) AS first_1, MAX(last_1) AS last_1, 0 AS span_1,
      MIN(first_2) AS first_2, MAX(last_2) AS last_2, 0 AS span_2
    FROM (
      SELECT cut.round, cut.region AS cut_region,
        side.first_1, side.last_1,
        side.first_2, side.last_2
      FROM node AS side
      LEFT JOIN cut
        ON side.round = cut.round + 1 AND (side.cut_region + 1) // 2 = cut.number
    ) AS above
    WHERE round IS NOT NULL
    GROUP BY round, cut_region
    UNION ALL
    SELECT *
    FROM leaf
    WHERE round = (SELECT MAX(round) FROM node) - 1
  ) AS round_node
),
every_node AS MATERIALIZED (
  SELECT *
  FROM node
),
ends AS (
  SELECT DISTINCT quasi, first_place, last_place, span
  FROM (
    SELECT
      UNNEST([1, 2]) AS quasi,
      UNNEST([first_1, first_2]) AS first_place,
      UNNEST([last_1, last_2]) AS last_place,
      UNNEST([span_1, span_2]) AS span
    FROM every_node
  ) AS node_column
),
common AS (
  SELECT ends.*, CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END AS common_level, first.ids[CASE WHEN first.ids[1] = last.ids[1] THEN 0 WHEN first.ids[2] = last.ids[2] THEN 1 WHEN first.ids[3] = last.ids[3] THEN 2 END + 1] AS common_id
  FROM ends
  JOIN temp.main."sqlgen_cut_place" AS first
    ON ends.quasi = first.quasi AND ends.first_place = first.place
  JOIN temp.main."sqlgen_cut_place" AS last
    ON ends.quasi = last.quasi AND ends.last_place = last.place
),
labelled AS (
  SELECT
    common.*,
    CASE WHEN own_label.id IS NOT NULL THEN 1000 ELSE common.common_level END AS level,
    CASE WHEN own_label.id IS NOT NULL THEN own_label.id ELSE common.common_id END AS id
  FROM common
  LEFT JOIN temp.main."sqlgen_own_label" AS own_label
    ON common.span = own_label.number
),
name AS MATERIALIZED (
  SELECT
    ROW_NUMBER() OVER () AS name,
    labelled.quasi,
    labelled.first_place,
    labelled.last_place,
    labelled.span,
    labelled.level,
    label.label,
    CASE WHEN label.span IS DISTINCT FROM label.label THEN label.span END AS span_text,
    label.leaves,
    CASE WHEN label.label IS NOT NULL THEN label.shown END AS label_rank,
    CASE
      WHEN label.span IS DISTINCT FROM label.label THEN DENSE_RANK() OVER (PARTITION BY labelled.quasi ORDER BY label.span ASC)
    END AS span_rank
  FROM labelled
  JOIN temp.main."sqlgen_region_label" AS label
    ON labelled.quasi = label.ladder AND labelled.level = label.level AND labelled.id = label.id
),
named AS MATERIALIZED (
  SELECT
    node.round,
    node.cut_region,
    node.is_shown,
    name_1.name AS name_1, name_1.level AS level_1, name_1.label_rank AS label_rank_1, name_1.span_rank AS span_rank_1,
    name_2.name AS name_2, name_2.level AS level_2, name_2.label_rank AS label_rank_2, name_2.span_rank AS span_rank_2,
    CAST(name_1.leaves AS DOUBLE) * CAST(name_2.leaves AS DOUBLE) AS combinations
  FROM every_node AS node
  JOIN name AS name_1
    ON name_1.quasi = 1
    AND name_1.first_place = node.first_1
    AND name_1.last_place = node.last_1
    AND name_1.span = node.span_1
  JOIN name AS name_2
    ON name_2.quasi = 2
    AND name_2.first_place = node.first_2
    AND name_2.last_place = node.last_2
    AND name_2.span = node.span_2
),
numbered AS MATERIALIZED (
  SELECT
    round,
    cut_region,
    is_shown,
    name_1,
    name_2,
    ROW_NUMBER() OVER (
      ORDER BY combinations ASC, level_1 DESC, level_2 DESC, label_rank_1 ASC NULLS LAST, label_rank_2 ASC NULLS LAST, span_rank_1 ASC NULLS LAST, span_rank_2 ASC NULLS LAST, round DESC, cut_region ASC
    ) AS number
  FROM named
)
SELECT
  numbered.number,
  above.number AS parent,
  numbered.is_shown,
  [name_1.level, name_2.level] AS levels,
  [name_1.label, name_2.label] AS labels,
  [name_1.span_text, name_2.span_text] AS spans
FROM numbered
JOIN name AS name_1
  ON name_1.name = numbered.name_1
JOIN name AS name_2
  ON name_2.name = numbered.name_2
LEFT JOIN cut
  ON numbered.round = cut.round + 1 AND (numbered.cut_region + 1) // 2 = cut.number
LEFT JOIN numbered AS above
  ON cut.round = above.round AND cut.region = above.cut_region;

-- their fingerprint
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_print" AS
SELECT
  fingerprint,
  (SELECT CAST(COALESCE(SUM(row_count), 0) AS BIGINT) FROM (
    SELECT q1_0, q1_1, q2_0, q2_1, v1, row_count, region, level_1, level_2, own_1, own_2, 0 AS round
    FROM temp.main."sqlgen_region_0" AS cell
    WHERE TRUE
  ) AS cell) AS shown_rows
FROM (
  SELECT
    'sha256:' || SHA256(COALESCE(STRING_AGG(line, '
' ORDER BY number ASC, line ASC), '')) AS fingerprint,
    COUNT(*) AS region_count,
    COALESCE(BOOL_OR(shows_own), FALSE) AS shows_own,
    COALESCE(BOOL_OR(by_label_1), FALSE) AS by_label_1,
    COALESCE(BOOL_OR(by_label_2), FALSE) AS by_label_2
  FROM (
    SELECT
      number,
      COALESCE(
        CAST(number AS VARCHAR) || ' ' || COALESCE(CAST(parent AS VARCHAR), '-')
        || CASE WHEN is_shown THEN ' shown ' ELSE ' inner ' END
        || CAST(LEN(levels) AS VARCHAR) || ' ' || CAST(LEN(labels) AS VARCHAR)
        || ' ' || CAST(levels[1] AS VARCHAR) || ' ' || CASE
    WHEN labels[1] IS NULL THEN '-'
    ELSE CAST(LENGTH(labels[1]) AS VARCHAR) || ' ' || labels[1]
  END || COALESCE(' of ' || CAST(LENGTH(spans[1]) AS VARCHAR) || ' ' || spans[1], '')
        || ' ' || CAST(levels[2] AS VARCHAR) || ' ' || CASE
    WHEN labels[2] IS NULL THEN '-'
    ELSE CAST(LENGTH(labels[2]) AS VARCHAR) || ' ' || labels[2]
  END || COALESCE(' of ' || CAST(LENGTH(spans[2]) AS VARCHAR) || ' ' || spans[2], ''),
        ''
      ) AS line,
      is_shown AND LIST_CONTAINS(levels, 1000) AS shows_own,
      COALESCE(LEFT(spans[1], 1) IN ('[', '{'), FALSE) AS by_label_1,
      COALESCE(LEFT(spans[2], 1) IN ('[', '{'), FALSE) AS by_label_2
    FROM temp.main."sqlgen_region_tree"
  ) AS spelled
) AS printed;

-- the labels of each combination of values
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_shown" AS
SELECT DISTINCT
  cell.q1_0,
  cell.q2_0,
  l1.shown AS s1, l1.label AS label_1,
  l2.shown AS s2, l2.label AS label_2
FROM (
  SELECT q1_0, q1_1, q2_0, q2_1, v1, row_count, region, level_1, level_2, own_1, own_2, 0 AS round
  FROM temp.main."sqlgen_region_0" AS cell
  WHERE TRUE
) AS cell
JOIN temp.main."sqlgen_region_label" AS l1
  ON l1.ladder = 1
  AND l1.level = cell.level_1
  AND l1.id = CASE level_1 WHEN 0 THEN q1_0 WHEN 1 THEN q1_1 WHEN 2 THEN 0 WHEN 1000 THEN own_1 END
JOIN temp.main."sqlgen_region_label" AS l2
  ON l2.ladder = 2
  AND l2.level = cell.level_2
  AND l2.id = CASE level_2 WHEN 0 THEN q2_0 WHEN 1 THEN q2_1 WHEN 2 THEN 0 WHEN 1000 THEN own_2 END;

-- the release: labels in place of values, failing classes left out
CREATE TABLE "clinic"."main"."released" AS
WITH labelled_row AS MATERIALIZED (
  SELECT
    shown.s1 AS q1,
    shown.label_1 AS label_1,
    shown.s2 AS q2,
    shown.label_2 AS label_2,
    CAST("source"."disease" AS VARCHAR) COLLATE C AS kept_1,
    "source"."visits" AS kept_2,
1 AS class_size
  FROM "clinic"."main"."patients" AS source
  JOIN temp.main."sqlgen_rung_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_rung_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  JOIN temp.main."sqlgen_region_shown" AS shown
    ON q1.id_0 = shown.q1_0 AND q2.id_0 = shown.q2_0
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
  WHERE NOT (class_size < 4)
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
  WHERE NOT (class_size < 4)
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
        class_size < 4 AS fails_1,
        CASE WHEN class_size < 4 THEN class_size ELSE 0 END AS repair_1,
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
  (SELECT COUNT(*) FROM "clinic"."main"."patients") AS source_rows,
  (
    0
    + (SELECT COUNT(*) FROM temp.main."sqlgen_rung_1" WHERE missing_level IS NOT NULL)
    + (SELECT COUNT(*) FROM temp.main."sqlgen_rung_2" WHERE missing_level IS NOT NULL)
  ) AS uncovered_values,
  (
    0
    + (SELECT COUNT(value) - COUNT(DISTINCT value) FROM temp.main."sqlgen_rung_1")
    + (SELECT COUNT(value) - COUNT(DISTINCT value) FROM temp.main."sqlgen_rung_2")
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
        class_size < 4 AS fails_1,
        CASE WHEN class_size < 4 THEN class_size ELSE 0 END AS repair_1,
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
    WHEN NOT COALESCE(empty_rows >= 0 AND empty_rows <= masked_rows AND (source_rows - release_rows + masked_rows - empty_rows) * 1 <= 0, FALSE)
      THEN system.main.error('more rows are suppressed than the policy allows; nothing was changed')
    WHEN NOT COALESCE(class_count > 0 AND failing_classes_1 = 0 AND failing_rows_1 = 0 AND failing_classes_2 = 0 AND failing_rows_2 = 0, FALSE)
      THEN system.main.error('the release does not give what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_1 BETWEEN CAST(3.999999599 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_2 BETWEEN CAST(1.999999799 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
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

-- the regions of releases
CREATE TABLE IF NOT EXISTS "clinic"."main"."sqlgen_releases_regions" (
  fingerprint VARCHAR,
  number BIGINT,
  parent BIGINT,
  is_shown BOOLEAN,
  levels INTEGER[],
  labels VARCHAR[],
  spans VARCHAR[]
);

INSERT INTO "clinic"."main"."sqlgen_releases_regions" (fingerprint, number, parent, is_shown, levels, labels, spans)
SELECT
  (SELECT fingerprint FROM temp.main."sqlgen_region_print") AS fingerprint,
  region.number,
  region.parent,
  region.is_shown,
  region.levels,
  region.labels,
  region.spans
FROM temp.main."sqlgen_region_tree" AS region
WHERE (SELECT release_rows FROM temp.main."sqlgen_audit") = (SELECT shown_rows FROM temp.main."sqlgen_region_print")
  AND NOT EXISTS (SELECT 1 FROM "clinic"."main"."sqlgen_releases_regions" AS kept WHERE kept.fingerprint = (SELECT fingerprint FROM temp.main."sqlgen_region_print"))
ORDER BY region.number ASC;

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
      || ']' AS guarantees,
    NULL AS settled_rows,
    VERSION() AS engine_version,
    'policy.yml' AS policy,
    '.' AS folder,
    'sha256:539e00f08bc80afd85dc1057b20cdca9' AS policy_fingerprint,
    '<lock>' AS lock_fingerprint,
    'patients' AS source,
    'sha256:d70cbb88bf71e0a87bb2dd8260bed2bd' AS source_fingerprint,
    'mondrian' AS recoding,
    '{"columns": [{"name": "zip", "levels": [0, 2]}, {"name": "age", "levels": [0, 2]}], "rounds": 3, "by": "width", "gain": "leaves", "region_fingerprint": "' || (SELECT fingerprint FROM temp.main."sqlgen_region_print") || '"}' AS decision,
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

DROP TABLE IF EXISTS temp.main."sqlgen_rung_1";

DROP TABLE IF EXISTS temp.main."sqlgen_rung_2";

DROP TABLE IF EXISTS temp.main."sqlgen_region_label";

DROP TABLE IF EXISTS temp.main."sqlgen_region_value_1";

DROP TABLE IF EXISTS temp.main."sqlgen_region_cell";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_place";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_cell";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_region_1";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_region_2";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_region_3";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_candidate_0";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_candidate_1";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_candidate_2";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_0";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_1";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_2";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_left";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_extent";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_member";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_span";

DROP TABLE IF EXISTS temp.main."sqlgen_own_label";

DROP TABLE IF EXISTS temp.main."sqlgen_cut_shown";

DROP TABLE IF EXISTS temp.main."sqlgen_region_0";

DROP TABLE IF EXISTS temp.main."sqlgen_region_tree";

DROP TABLE IF EXISTS temp.main."sqlgen_region_print";

DROP TABLE IF EXISTS temp.main."sqlgen_region_shown";

-- from here on the release is visible
COMMIT;

-- what stands now
SELECT
  (SELECT COUNT(*) FROM "clinic"."main"."released") AS release_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released') AS release_object;
