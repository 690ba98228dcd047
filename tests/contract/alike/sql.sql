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
      AND system.main.lower(function_name) IN ('%', '*', '+', '-', '/', '//', 'abs', 'array_extract', 'array_slice', 'ceil', 'contains', 'count', 'count_star', 'dense_rank', 'duckdb_tables', 'element_at', 'error', 'floor', 'get_current_timestamp', 'greatest', 'lag', 'lead', 'least', 'length', 'list_extract', 'list_slice', 'list_value', 'ln', 'map_extract', 'map_extract_value', 'max', 'min', 'now', 'quantile_disc', 'range', 'repeat', 'row', 'row_number', 'struct_extract', 'substring', 'sum', 'timezone', 'translate', 'unnest', 'version', '||')
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

-- the values of visits
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
      SELECT "source"."visits" AS value, COUNT(*) AS row_count
      FROM "clinic"."main"."patients" AS source
      GROUP BY "source"."visits"
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
    ON "source"."visits" IS NOT DISTINCT FROM v1.value
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

-- the order of visits
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_alike_cell" AS
WITH cell AS MATERIALIZED (
  SELECT *, 1 AS stratum
  FROM temp.main."sqlgen_region_cell" AS cell
),
amount AS (
  SELECT
    value_id,
    value,
    kind,
    CAST(
      CASE
        WHEN kind <> 1 OR most = least THEN 0
        ELSE CASE WHEN most - least <= scale THEN whole - least ELSE CAST(FLOOR(CAST(whole - least AS DOUBLE) / CAST(most - least AS DOUBLE) * CAST(scale AS DOUBLE)) AS HUGEINT) END
      END AS HUGEINT
    ) AS amount
  FROM (
    SELECT
      *,
      MIN(whole) OVER () AS least,
      MAX(whole) OVER () AS most,
      (
        SELECT LEAST(CAST(1000000000000000 AS HUGEINT), CAST(10000000000000000000 AS HUGEINT) // GREATEST(SUM(row_count), 1))
        FROM temp.main."sqlgen_region_cell"
      ) AS scale
    FROM (
      SELECT value_id, value, kind, CASE WHEN kind = 1 THEN CAST(value AS HUGEINT) END AS whole
      FROM (
        SELECT value_id, value, CASE WHEN value IS NULL THEN 4 ELSE 1 END AS kind
        FROM (SELECT id_0 AS value_id, value FROM temp.main."sqlgen_region_value_1" WHERE id_0 IN (SELECT v1 FROM temp.main."sqlgen_region_cell")) AS occurring
      ) AS sorted_value
    ) AS whole_value
  ) AS spanned_value
)
SELECT
  ROW_NUMBER() OVER in_order AS cell,
  cell.stratum,
  amount.kind,
  amount.amount,
  CAST(SUM(cell.row_count) OVER (in_order ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - cell.row_count AS BIGINT) AS start_row,
  cell.q1_0,
  cell.q1_1,
  cell.q2_0,
  cell.q2_1,
  cell.v1,
  cell.row_count
FROM cell
JOIN amount
  ON cell.v1 = amount.value_id
WINDOW in_order AS (ORDER BY cell.stratum ASC, amount.kind ASC, amount.value ASC NULLS LAST, cell.q1_1 ASC, cell.q2_1 ASC, cell.q1_0 ASC, cell.q2_0 ASC, cell.v1 ASC);

-- where groups may end, and what each costs
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_alike_step" AS
WITH segment AS (
  SELECT
    stratum,
    kind,
    MIN(start_row) AS segment_start,
    SUM(row_count) AS segment_rows,
    GREATEST(1, SUM(row_count) // 160) AS blocks
  FROM temp.main."sqlgen_alike_cell"
  GROUP BY stratum, kind
),
placed AS MATERIALIZED (
  SELECT
    *,
    amount - LAG(amount) OVER (PARTITION BY stratum, kind ORDER BY place ASC) AS gap,
    (2 * (place - segment_start) * blocks + segment_rows) // (2 * segment_rows) AS border
  FROM (
    SELECT cell.stratum, cell.kind, cell.amount, cell.start_row + UNNEST(RANGE(cell.row_count)) AS place
    FROM temp.main."sqlgen_alike_cell" AS cell
  ) AS placed_row
  JOIN segment
    USING (stratum, kind)
),
border AS (
  SELECT place AS block
  FROM (
    SELECT place, ROW_NUMBER() OVER (PARTITION BY stratum, kind, border ORDER BY gap DESC, place ASC) AS preference
    FROM placed
    WHERE border BETWEEN 1 AND blocks - 1
      AND ABS(place - segment_start - border * segment_rows // blocks) <= 32
  ) AS near_border
  WHERE preference = 1
  UNION ALL
  SELECT segment_start
  FROM segment
),
blocked AS (
  SELECT
    placed.*,
    MAX(border.block) OVER (ORDER BY placed.place ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS block
  FROM placed
  LEFT JOIN border
    ON placed.place = border.block
),
summed AS (
  SELECT
    block,
    stratum,
    kind,
    block = segment_start AS is_first,
    MAX(place) OVER (PARTITION BY block) = segment_start + segment_rows - 1 AS is_last,
    place - block + 1 AS step,
    SUM(amount) OVER up_to AS sum_1,
    SUM(amount * amount) OVER up_to AS sum_2,
    COUNT(*) OVER (PARTITION BY block) AS block_rows
  FROM blocked
  WINDOW up_to AS (PARTITION BY block ORDER BY place ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
),
step AS (
  SELECT block, stratum, kind, is_first, is_last, step, sum_1, sum_2, block_rows
  FROM summed
  WHERE step % 1 = 0 OR step = block_rows
  UNION ALL
  SELECT DISTINCT block, stratum, kind, is_first, is_last, 0, 0, 0, block_rows
  FROM summed
)
SELECT
  block,
  ROW_NUMBER() OVER in_block - 1 AS number,
  COUNT(*) OVER (PARTITION BY block) - 1 AS last_number,
  step,
  stratum,
  kind,
  is_first,
  is_last,
  sum_1,
  sum_2,
  CASE
    WHEN step - LAG(step, 4) OVER in_block BETWEEN 4 AND 7
    THEN CAST(
      (step - LAG(step, 4) OVER in_block) * (sum_2 - LAG(sum_2, 4) OVER in_block)
      - (sum_1 - LAG(sum_1, 4) OVER in_block) * (sum_1 - LAG(sum_1, 4) OVER in_block) AS DOUBLE
    ) / CAST(step - LAG(step, 4) OVER in_block AS DOUBLE)
  END AS piece_4,
  CASE
    WHEN step - LAG(step, 5) OVER in_block BETWEEN 4 AND 7
    THEN CAST(
      (step - LAG(step, 5) OVER in_block) * (sum_2 - LAG(sum_2, 5) OVER in_block)
      - (sum_1 - LAG(sum_1, 5) OVER in_block) * (sum_1 - LAG(sum_1, 5) OVER in_block) AS DOUBLE
    ) / CAST(step - LAG(step, 5) OVER in_block AS DOUBLE)
  END AS piece_5,
  CASE
    WHEN step - LAG(step, 6) OVER in_block BETWEEN 4 AND 7
    THEN CAST(
      (step - LAG(step, 6) OVER in_block) * (sum_2 - LAG(sum_2, 6) OVER in_block)
      - (sum_1 - LAG(sum_1, 6) OVER in_block) * (sum_1 - LAG(sum_1, 6) OVER in_block) AS DOUBLE
    ) / CAST(step - LAG(step, 6) OVER in_block AS DOUBLE)
  END AS piece_6,
  CASE
    WHEN step - LAG(step, 7) OVER in_block BETWEEN 4 AND 7
    THEN CAST(
      (step - LAG(step, 7) OVER in_block) * (sum_2 - LAG(sum_2, 7) OVER in_block)
      - (sum_1 - LAG(sum_1, 7) OVER in_block) * (sum_1 - LAG(sum_1, 7) OVER in_block) AS DOUBLE
    ) / CAST(step - LAG(step, 7) OVER in_block AS DOUBLE)
  END AS piece_7
FROM step
WINDOW in_block AS (PARTITION BY block ORDER BY step ASC);

-- the way back from each place
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_alike_best" AS
WITH RECURSIVE best AS (
  SELECT
    block,
    number,
    last_number,
    0 AS back,
    CAST(0 AS DOUBLE) AS cost_1,
    CAST(NULL AS DOUBLE) AS cost_2,
    CAST(NULL AS DOUBLE) AS cost_3,
    CAST(NULL AS DOUBLE) AS cost_4,
    CAST(NULL AS DOUBLE) AS cost_5,
    CAST(NULL AS DOUBLE) AS cost_6,
    CAST(NULL AS DOUBLE) AS cost_7
  FROM temp.main."sqlgen_alike_step"
  WHERE number = 0
  UNION ALL
  SELECT
    block,
    number,
    last_number,
    CASE
      WHEN cost = cost_4 + piece_4 THEN 4
      WHEN cost = cost_5 + piece_5 THEN 5
      WHEN cost = cost_6 + piece_6 THEN 6
      WHEN cost = cost_7 + piece_7 THEN 7
    END AS back,
    cost AS cost_1,
    cost_1 AS cost_2,
    cost_2 AS cost_3,
    cost_3 AS cost_4,
    cost_4 AS cost_5,
    cost_5 AS cost_6,
    cost_6 AS cost_7
  FROM (
    SELECT
      best.block,
      best.number + 1 AS number,
      best.last_number,
      best.cost_1,
      best.cost_2,
      best.cost_3,
      best.cost_4,
      best.cost_5,
      best.cost_6,
      best.cost_7,
      step.piece_4,
      step.piece_5,
      step.piece_6,
      step.piece_7,
      LEAST(best.cost_4 + step.piece_4, best.cost_5 + step.piece_5, best.cost_6 + step.piece_6, best.cost_7 + step.piece_7) AS cost
    FROM best
    LEFT JOIN temp.main."sqlgen_alike_step" AS step
      ON best.block = step.block AND best.number + 1 = step.number
    WHERE best.number < best.last_number
  ) AS reached
)
SELECT block, number, back
FROM best;

-- groups
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_alike_group_0" AS
WITH RECURSIVE path AS (
  SELECT block, number, last_number
  FROM temp.main."sqlgen_alike_step"
  WHERE number = last_number
  UNION ALL
  SELECT path.block, path.number - COALESCE(best.back, path.number) AS number, path.last_number
  FROM path
  LEFT JOIN temp.main."sqlgen_alike_best" AS best
    ON path.block = best.block AND path.number = best.number
  WHERE path.number > 0
),
cut AS (
  SELECT
    step.*,
    LEAD(step.step) OVER in_block AS next_step,
    LEAD(step.sum_1) OVER in_block AS next_sum_1,
    LEAD(step.sum_2) OVER in_block AS next_sum_2
  FROM path
  JOIN temp.main."sqlgen_alike_step" AS step
    ON path.block = step.block AND path.number = step.number
  WINDOW in_block AS (PARTITION BY step.block ORDER BY step.number ASC)
),
found AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY block ASC, step ASC) AS region,
    block + step AS first_row,
    next_step - step AS row_count,
    stratum,
    kind,
    CASE WHEN kind = 1 THEN next_step - step ELSE 0 END AS finite_rows,
    next_sum_1 - sum_1 AS sum_1,
    next_sum_2 - sum_2 AS sum_2
  FROM cut
  WHERE next_step IS NOT NULL
)
SELECT region, region AS part, first_row, row_count, stratum, kind, finite_rows, CAST(sum_1 AS HUGEINT) AS sum_1, CAST(sum_2 AS HUGEINT) AS sum_2
FROM found;

-- the cells of each group
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_part" AS
WITH beginning AS (
  SELECT place, MAX(cell) AS cell, MAX(part) AS part
  FROM (
    SELECT start_row AS place, cell, NULL AS part
    FROM temp.main."sqlgen_alike_cell"
    UNION ALL
    SELECT first_row, NULL, part
    FROM temp.main."sqlgen_alike_group_0"
  ) AS side
  GROUP BY place
),
piece AS (
  SELECT
    place,
    MAX(cell) OVER up_to AS cell,
    MAX(part) OVER up_to AS part,
    LEAD(place) OVER (ORDER BY place ASC) AS next_place
  FROM beginning
  WINDOW up_to AS (ORDER BY place ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
)
SELECT
  piece.cell,
  piece.part,
  piece.place - cell.start_row AS part_start,
  COALESCE(piece.next_place, cell.start_row + cell.row_count) - piece.place AS row_count,
  cell.kind,
  cell.amount,
  cell.q1_0,
  cell.q1_1,
  cell.q2_0,
  cell.q2_1,
  cell.v1
FROM piece
JOIN temp.main."sqlgen_alike_cell" AS cell
  ON piece.cell = cell.cell;

-- the labels that groups share
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_0" AS
WITH placed AS MATERIALIZED (
  SELECT part.* EXCLUDE (part), groups.region
  FROM temp.main."sqlgen_group_part" AS part
  JOIN (SELECT DISTINCT part, region FROM temp.main."sqlgen_alike_group_0") AS groups
    ON part.part = groups.part
),
shared AS (
  SELECT region,
    CASE WHEN MIN(q1_0) = MAX(q1_0) THEN 0 WHEN MIN(q1_1) = MAX(q1_1) THEN 1 ELSE 2 END AS level_1,
    CASE WHEN MIN(q2_0) = MAX(q2_0) THEN 0 WHEN MIN(q2_1) = MAX(q2_1) THEN 1 ELSE 2 END AS level_2
  FROM placed
  GROUP BY region
)
SELECT placed.*,
  shared.level_1,
  shared.level_2
FROM placed
JOIN shared
  ON placed.region = shared.region;

-- every row in its group
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_alike_row" AS
WITH turn AS (
  SELECT
    source.*,
    cell.cell AS "cell_number",
    ROW_NUMBER() OVER (PARTITION BY cell.cell ORDER BY CAST("source"."disease" AS VARCHAR) COLLATE C ASC NULLS FIRST, "source"."visits" ASC NULLS FIRST) - 1 AS "row_turn"
  FROM "clinic"."main"."patients" AS source
  JOIN temp.main."sqlgen_rung_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_rung_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  JOIN temp.main."sqlgen_region_value_1" AS v1
    ON "source"."visits" IS NOT DISTINCT FROM v1.value
  JOIN (SELECT DISTINCT cell,
  q1_0,
  q2_0,
  v1 FROM temp.main."sqlgen_region_0") AS cell
    ON q1.id_0 = cell.q1_0 AND q2.id_0 = cell.q2_0 AND v1.id_0 = cell.v1
)
SELECT turn.* EXCLUDE ("cell_number", "row_turn"), placed.region AS "region"
FROM turn
JOIN (
  SELECT cell, region, part_start + UNNEST(RANGE(row_count)) AS turn
  FROM temp.main."sqlgen_region_0"
) AS placed
  ON turn."cell_number" = placed.cell AND turn."row_turn" = placed.turn;

-- the labels of each group
CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_shown" AS
SELECT DISTINCT
  cell.region,
  l1.shown AS s1, l1.label AS label_1,
  l2.shown AS s2, l2.label AS label_2
FROM (
  SELECT q1_0, q1_1, q2_0, q2_1, v1, row_count, region, level_1, level_2, 0 AS round
  FROM temp.main."sqlgen_region_0" AS cell
  WHERE TRUE
) AS cell
JOIN temp.main."sqlgen_region_label" AS l1
  ON l1.ladder = 1
  AND l1.level = cell.level_1
  AND l1.id = CASE level_1 WHEN 0 THEN q1_0 WHEN 1 THEN q1_1 WHEN 2 THEN 0 END
JOIN temp.main."sqlgen_region_label" AS l2
  ON l2.ladder = 2
  AND l2.level = cell.level_2
  AND l2.id = CASE level_2 WHEN 0 THEN q2_0 WHEN 1 THEN q2_1 WHEN 2 THEN 0 END;

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
  FROM temp.main."sqlgen_alike_row" AS source
  JOIN temp.main."sqlgen_region_shown" AS shown
    ON source."region" = shown.region
),
cell AS MATERIALIZED (
  SELECT
    q1,
    q2,
    kept_2,
    COUNT(*) AS row_count
  FROM labelled_row
  GROUP BY q1, q2, kept_2
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
        SELECT "source"."visits" AS value, COUNT(*) AS row_count
        FROM (SELECT kept_2 AS "visits" FROM cell) AS source
        GROUP BY "source"."visits"
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
valued_cell AS (
  SELECT
    cell.*,
    value_1.id_0 AS v1
  FROM cell AS cell
  JOIN value_1
    ON cell.kept_2 IS NOT DISTINCT FROM value_1.value
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
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(0.999999899 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 1 AS fails,
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
            SELECT "source"."visits" AS value, COUNT(*) AS row_count
            FROM "clinic"."main"."patients" AS source
            GROUP BY "source"."visits"
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
      "audited"."visits" AS s1,
      COUNT(*) AS row_count
    FROM "clinic"."main"."released" AS audited
    GROUP BY CAST("audited"."zip" AS VARCHAR) COLLATE C, CAST("audited"."age" AS VARCHAR) COLLATE C, "audited"."visits"
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
          SELECT "source"."visits" AS value, COUNT(*) AS row_count
          FROM (SELECT s1 AS "visits" FROM cell) AS source
          GROUP BY "source"."visits"
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
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(0.999999899 AS DOUBLE) AND verdict_2.figure <= 1.7976931348623157e308, FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2
      FROM class_0 AS class
      LEFT JOIN (
        SELECT
          class_id,
          COUNT(*) < 1 AS fails,
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
    WHEN masked_rows IS DISTINCT FROM release_rows AND NOT COALESCE(measured_2 BETWEEN CAST(0.999999899 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
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
    '[{"name": "k_anonymity", "parameters": {"k": 4}, "measured": ' || CASE
      WHEN measured_1 IS NULL THEN 'null'
      WHEN measured_1 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_1 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ', {"name": "distinct_l_diversity", "parameters": {"column": "visits", "l": 1}, "measured": ' || CASE
      WHEN measured_2 IS NULL THEN 'null'
      WHEN measured_2 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
      ELSE CAST(CAST(measured_2 AS DOUBLE) AS VARCHAR)
    END || '}'
      || ']' AS guarantees,
    NULL AS settled_rows,
    VERSION() AS engine_version,
    'policy.yml' AS policy,
    '.' AS folder,
    'sha256:dcd2ba82f4666f7213c0b07166e81f86' AS policy_fingerprint,
    '<lock>' AS lock_fingerprint,
    'patients' AS source,
    'sha256:d70cbb88bf71e0a87bb2dd8260bed2bd' AS source_fingerprint,
    'microaggregation' AS recoding,
    '{"columns": [{"name": "zip", "levels": [0, 2]}, {"name": "age", "levels": [0, 2]}], "of": ["visits"], "least": 4, "merges": 0, "groups": 8, "deals": false}' AS decision,
    '{"visits": 0}' AS sensitive_levels,
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

DROP TABLE IF EXISTS temp.main."sqlgen_alike_cell";

DROP TABLE IF EXISTS temp.main."sqlgen_alike_step";

DROP TABLE IF EXISTS temp.main."sqlgen_alike_best";

DROP TABLE IF EXISTS temp.main."sqlgen_group_part";

DROP TABLE IF EXISTS temp.main."sqlgen_alike_group_0";

DROP TABLE IF EXISTS temp.main."sqlgen_region_0";

DROP TABLE IF EXISTS temp.main."sqlgen_alike_row";

DROP TABLE IF EXISTS temp.main."sqlgen_region_shown";

-- from here on the release is visible
COMMIT;

-- what stands now
SELECT
  (SELECT COUNT(*) FROM "clinic"."main"."released") AS release_rows,
  (SELECT MAX(table_oid) FROM duckdb_tables() WHERE TRANSLATE(database_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'clinic' AND TRANSLATE(schema_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'main' AND TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'released') AS release_object;
