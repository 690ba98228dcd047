-- recodings/alike_amount
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
      FROM (SELECT id_0 AS value_id, value FROM temp.main."sqlgen_ladder_3" WHERE id_0 IN (SELECT v1 FROM temp.main."sqlgen_region_cell")) AS occurring
    ) AS sorted_value
  ) AS whole_value
) AS spanned_value

-- recodings/alike_block
segment AS (
  SELECT
    stratum,
    kind,
    MIN(start_row) AS segment_start,
    SUM(row_count) AS segment_rows,
    GREATEST(1, SUM(row_count) // 120) AS blocks
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
      AND ABS(place - segment_start - border * segment_rows // blocks) <= 24
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
)

-- recodings/alike_reach
whole AS (
  SELECT
    region,
    MIN(first_row) AS first_row,
    MIN(stratum) AS stratum,
    MIN(kind) AS least_kind,
    MAX(kind) AS most_kind,
    CAST(SUM(finite_rows) AS HUGEINT) AS finite_rows,
    CAST(SUM(sum_1) AS HUGEINT) AS sum_1
  FROM temp.main."sqlgen_alike_group_0"
  GROUP BY region
),
numbered AS (
  SELECT *, ROW_NUMBER() OVER (ORDER BY first_row ASC) AS number
  FROM whole
),
beside AS (
  SELECT
    number,
    region,
    MIN(number) OVER (PARTITION BY stratum) AS first_number,
    MAX(number) OVER (PARTITION BY stratum) AS last_number,
    CASE
      WHEN finite_rows > 0 AND LAG(finite_rows) OVER in_order > 0 THEN
        CAST(LAG(finite_rows) OVER in_order * sum_1 - finite_rows * LAG(sum_1) OVER in_order AS DOUBLE)
        * CAST(LAG(finite_rows) OVER in_order * sum_1 - finite_rows * LAG(sum_1) OVER in_order AS DOUBLE)
        / CAST(finite_rows * LAG(finite_rows) OVER in_order * (finite_rows + LAG(finite_rows) OVER in_order) AS DOUBLE)
      ELSE 0
    END AS before_squares,
    CASE
      WHEN finite_rows > 0 AND LEAD(finite_rows) OVER in_order > 0 THEN
        CAST(LEAD(finite_rows) OVER in_order * sum_1 - finite_rows * LEAD(sum_1) OVER in_order AS DOUBLE)
        * CAST(LEAD(finite_rows) OVER in_order * sum_1 - finite_rows * LEAD(sum_1) OVER in_order AS DOUBLE)
        / CAST(finite_rows * LEAD(finite_rows) OVER in_order * (finite_rows + LEAD(finite_rows) OVER in_order) AS DOUBLE)
      ELSE 0
    END AS after_squares,
    least_kind - LAG(most_kind) OVER in_order AS before_kinds,
    LEAD(least_kind) OVER in_order - most_kind AS after_kinds
  FROM numbered
  WINDOW in_order AS (PARTITION BY stratum ORDER BY number ASC)
),
reach AS (
  SELECT
    CASE WHEN is_before THEN GREATEST(number - 1, first_number) ELSE number END AS lower,
    CASE WHEN is_before THEN number ELSE LEAST(number + 1, last_number) END AS upper
  FROM (
    SELECT
      beside.*,
      CASE
        WHEN before_kinds IS NULL THEN FALSE
        WHEN after_kinds IS NULL THEN TRUE
        WHEN before_kinds <> after_kinds THEN before_kinds < after_kinds
        ELSE before_squares <= after_squares
      END AS is_before
    FROM beside
    JOIN temp.main."sqlgen_alike_judged_0" AS judged
      ON beside.region = judged.region
    WHERE judged.fails
  ) AS failing
)

-- recodings/cut_boundary
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
    WHERE NOT (class_size < 3)
  ) AS upper_side
  WHERE NOT (class_size < 3)
)

-- recodings/cut_column
column_cell AS (
  SELECT
    region * 3 + UNNEST([1, 2]) AS region_column,
    UNNEST([place_1, place_2]) AS place,
    row_count
  FROM temp.main."sqlgen_cut_cell"
)

-- recodings/cut_name
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
)

-- recodings/cut_node
cut AS MATERIALIZED (
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
  FROM temp.main."sqlgen_cut_3"
  UNION ALL
  SELECT 4 AS round, region, number
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
  WHERE round = 4
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
)

-- recodings/cut_side
(
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
)

-- recodings/dealt_values
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
ORDER BY "group_id" ASC, spread.value_number ASC

-- recodings/finer_cell
(
  SELECT *
  FROM (
    SELECT
      region,
      UNNEST([1, 2]) AS quasi,
      UNNEST([level_1 - 1, level_2 - 1]) AS level,
      UNNEST([CASE level_1 WHEN 1 THEN q1_0 WHEN 2 THEN q1_1 END, CASE level_2 WHEN 1 THEN q2_0 WHEN 2 THEN q2_1 END]) AS child,
      v1,
      row_count
    FROM temp.main."sqlgen_region_0"
  ) AS column_cell
  WHERE child IS NOT NULL
)

-- recodings/group_rows
SELECT
  "zip",
  "age",
  "disease",
  "group_id"
FROM (
  SELECT *, UNNEST("held_groups") AS "group_id"
  FROM (
    SELECT
      named_q1.label AS "zip",
      named_q2.label AS "age",
      placed.kept_1 AS "disease",
      held.held_groups AS "held_groups"
    FROM (
      SELECT DISTINCT label_place, q1, q2, kept_1
      FROM temp.main."sqlgen_group_cell"
    ) AS placed
    JOIN (
      SELECT row_group.label_place, LIST_SORT(LIST(numbered.group_id)) AS held_groups
      FROM temp.main."sqlgen_group_row" AS row_group
      JOIN temp.main."sqlgen_group_number" AS numbered
        ON row_group.raw_group = numbered.raw_group
      GROUP BY row_group.label_place
    ) AS held
      ON placed.label_place = held.label_place
    JOIN (SELECT DISTINCT id, label FROM temp.main."sqlgen_lookup_1") AS named_q1
      ON placed.q1 = named_q1.id
    JOIN (SELECT DISTINCT id, label FROM temp.main."sqlgen_lookup_2") AS named_q2
      ON placed.q2 = named_q2.id
    ORDER BY placed.label_place ASC
  ) AS sorted_cell
) AS released_row

-- recodings/group_values
SELECT
  numbered.group_id AS "group_id",
  held.value AS "visits",
  COUNT(*) AS "row_count"
FROM temp.main."sqlgen_group_row" AS placed
JOIN (
  SELECT value_place, ANY_VALUE(value) AS value
  FROM temp.main."sqlgen_group_cell"
  GROUP BY value_place
) AS held
  ON placed.value_place = held.value_place
JOIN temp.main."sqlgen_group_number" AS numbered
  ON placed.raw_group = numbered.raw_group
GROUP BY numbered.group_id, held.value
ORDER BY numbered.group_id ASC, held.value ASC NULLS FIRST

-- recodings/grouped_cells
(
  WITH
  value_span AS (
    SELECT
      v1,
      value_rows,
      start_row % 20 AS first_group,
      (start_row + value_rows) % 20 AS end_group
    FROM temp.main."sqlgen_group_value"
  ),
  alike AS (
    SELECT
      first_group,
      LEAD(first_group, 1, 20) OVER (ORDER BY first_group ASC) - first_group AS group_count,
      ROW_NUMBER() OVER (ORDER BY first_group ASC) - 1 AS number,
      COUNT(*) OVER () AS numbers
    FROM (
      SELECT 0 AS first_group
      UNION
      SELECT first_group
      FROM value_span
      UNION
      SELECT end_group
      FROM value_span
    ) AS span_end
  ),
  spread AS (
    SELECT
      value_span.*,
      first.number AS first_number,
      first.numbers,
      (last.number - first.number + first.numbers) % first.numbers AS fuller_numbers
    FROM value_span
    JOIN alike AS first
      ON value_span.first_group = first.first_group
    JOIN alike AS last
      ON value_span.end_group = last.first_group
  ),
  counted AS (
    SELECT *, UNNEST(RANGE(CASE WHEN value_rows < 20 THEN fuller_numbers ELSE numbers END)) AS turn
    FROM spread
  )
  SELECT
    alike.first_group AS group_number,
    alike.group_count,
    counted.v1,
    CAST(counted.value_rows // 20 + CASE WHEN counted.turn < counted.fuller_numbers THEN 1 ELSE 0 END AS BIGINT) AS row_count
  FROM counted
  JOIN alike
    ON (counted.first_number + counted.turn) % counted.numbers = alike.number
)

-- recodings/judged_cells
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
  WHERE NOT (class_size < 3)
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
  WHERE NOT (class_size < 3)
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
        FROM histogram_1 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
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
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2
      FROM class_0 AS class
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
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
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
        FROM histogram_1 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
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
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2
      FROM class_1 AS class
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
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
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
        FROM histogram_1 AS histogram
        LEFT JOIN reference_1 AS reference
          ON histogram.value_id = reference.value_id
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
        class_size AS figure_1,
        class_size < 3 AS fails_1,
        CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1,
        verdict_2.figure AS figure_2,
        CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(0.500000051 AS DOUBLE), FALSE) END AS fails_2,
        CASE
          WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
          ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
        END AS repair_2
      FROM class_2 AS class
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
      ) AS verdict_2
        ON class.class_id = verdict_2.class_id
    ) AS judged
  ) AS verdict
    ON class.class_id = verdict.class_id
  WHERE NOT verdict.fails
)

-- recodings/label_join
JOIN temp.main."sqlgen_lookup_1" AS q1
  ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
  AND q1.is_kept

-- recodings/own_end
(
  SELECT value AS "zip"
  FROM temp.main."sqlgen_rung_1"
  UNION
  SELECT TRY_CAST(
    CASE
      WHEN LEFT(name, 1) = '"' THEN REPLACE(name[2:-2], '""', '"')
      WHEN name <> 'NULL' THEN name
    END AS VARCHAR
  ) AS "zip"
  FROM (
    SELECT UNNEST(REGEXP_EXTRACT_ALL(named, '[\[{ ]("(?:[^"]|"")*"|[^",\[\]{}]+)[,\]}]', 1)) AS name
    FROM temp.main."sqlgen_own_span"
    WHERE quasi = 1
  ) AS kept_name
)

-- recodings/own_fitting
member AS MATERIALIZED (
  SELECT own_label.quasi, own_label.id, own_label.place
  FROM (
    SELECT quasi, id, UNNEST(members) AS place
    FROM temp.main."sqlgen_own_label"
    WHERE members IS NOT NULL
  ) AS own_label
),
fit AS (
  SELECT descent.combination, MIN(kept.number) AS region
  FROM descent
  JOIN combination
    ON descent.combination = combination.combination
  JOIN temp.main."sqlgen_region_kept" AS kept
    ON descent.region = kept.number
  LEFT JOIN temp.main."sqlgen_own_label" AS own_1
    ON kept.level_1 = 1000 AND own_1.quasi = 1 AND own_1.id = kept.id_1
  LEFT JOIN member AS member_1
    ON own_1.id = member_1.id AND member_1.quasi = 1 AND member_1.place = combination.place_1
  LEFT JOIN temp.main."sqlgen_own_label" AS own_2
    ON kept.level_2 = 1000 AND own_2.quasi = 2 AND own_2.id = kept.id_2
  LEFT JOIN member AS member_2
    ON own_2.id = member_2.id AND member_2.quasi = 2 AND member_2.place = combination.place_2
  WHERE kept.is_shown
    AND CASE
      WHEN kept.level_1 = 1000 THEN own_1.members IS NULL OR member_1.place IS NOT NULL
      ELSE CASE kept.level_1 WHEN 0 THEN combination.q1_0 WHEN 1 THEN combination.q1_1 ELSE 0 END = kept.id_1
    END
    AND CASE
      WHEN kept.level_2 = 1000 THEN own_2.members IS NULL OR member_2.place IS NOT NULL
      ELSE CASE kept.level_2 WHEN 0 THEN combination.q2_0 WHEN 1 THEN combination.q2_1 ELSE 0 END = kept.id_2
    END
  GROUP BY descent.combination
)

-- recodings/own_taken
UNION ALL
SELECT label.ladder, label.shown, own_label.level, label.leaves, label.log_leaves, label.log_rows
FROM temp.main."sqlgen_region_label" AS label
JOIN shown_label
  ON label.ladder = shown_label.ladder AND label.shown = shown_label.shown
JOIN temp.main."sqlgen_own_label" AS own_label
  ON label.ladder = own_label.quasi AND label.id = own_label.id
WHERE label.level = 1000
  AND (label.ladder, label.shown) NOT IN (SELECT (ladder, shown) FROM known_label)

-- recodings/persons
(
  WITH source_row AS MATERIALIZED (
    SELECT
      q1.id AS q1,
      q2.id AS q2,
      CAST("source"."name" AS VARCHAR) COLLATE C AS unit_1
    FROM "memory"."main"."patients" AS source
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
      FROM "memory"."main"."spare"
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
    source_row.unit_1 AS "name"
  FROM source_row
  JOIN released_class
    ON source_row.q1 = released_class.q1 AND source_row.q2 = released_class.q2
)

-- recodings/region_leaves
(
  SELECT rung.value, label.shown
  FROM (
    SELECT
      value,
      UNNEST([0, 1, 2]) AS level,
      UNNEST([id_0, id_1, CAST(0 AS UINTEGER)]) AS id
    FROM temp.main."sqlgen_rung_1"
    WHERE is_kept
  ) AS rung
  JOIN temp.main."sqlgen_region_label" AS label
    ON label.ladder = 1
    AND rung.level = label.level
    AND rung.id = label.id
  JOIN temp.main."sqlgen_region_taken" AS taken
    ON label.ladder = taken.ladder
    AND label.level = taken.level
    AND label.shown = taken.shown
)

-- recodings/release_from_cells
WITH cell AS (
  SELECT
    q1.id AS q1,
    q2.id AS q2,
    CAST("source"."disease" AS VARCHAR) COLLATE C AS kept_1,
    COUNT(*) AS row_count
  FROM "memory"."main"."patients" AS source
  JOIN temp.main."sqlgen_lookup_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_lookup_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
  GROUP BY q1.id, q2.id, CAST("source"."disease" AS VARCHAR) COLLATE C
),
sized_cell AS (
  SELECT
    *,
    CAST(SUM(row_count) OVER (PARTITION BY q1, q2) AS BIGINT) AS class_size
  FROM cell
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
  WHERE NOT (class_size < 3)
  ORDER BY sized_cell.q1 ASC NULLS FIRST, sized_cell.q2 ASC NULLS FIRST, sized_cell.kept_1 ASC NULLS FIRST
)
SELECT
  "zip",
  "age",
  "disease"
FROM (
  SELECT *, UNNEST(RANGE("copies")) AS "copy"
  FROM released_cell
) AS released_row

-- recodings/release_from_rows
WITH sized_row AS (
  SELECT
    q1.id AS q1,
    q1.label AS label_1,
    q2.id AS q2,
    q2.label AS label_2,
    CAST("source"."disease" AS VARCHAR) COLLATE C AS kept_1,
    "source"."visits" AS kept_2,
COUNT(*) OVER (PARTITION BY q1.id, q2.id) AS class_size
  FROM temp.main."sqlgen_source" AS source
  JOIN temp.main."sqlgen_lookup_1" AS q1
    ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM q1.value
    AND q1.is_kept
  JOIN temp.main."sqlgen_lookup_2" AS q2
    ON "source"."age" IS NOT DISTINCT FROM q2.value
    AND q2.is_kept
)
SELECT
  sized_row.label_1 AS "zip",
  sized_row.label_2 AS "age",
  sized_row.kept_1 AS "disease",
  sized_row.kept_2 AS "visits"
FROM sized_row
WHERE NOT (class_size < 3)
ORDER BY sized_row.q1 ASC NULLS FIRST, sized_row.q2 ASC NULLS FIRST, sized_row.kept_1 ASC NULLS FIRST, sized_row.kept_2 ASC NULLS FIRST

-- recodings/rest_cell
(
  SELECT
    cell.region,
    cell.quasi,
    cell.v1,
    cell.row_count
  FROM (
    SELECT *
    FROM (
      SELECT
        region,
        UNNEST([1, 2]) AS quasi,
        UNNEST([level_1 - 1, level_2 - 1]) AS level,
        UNNEST([CASE level_1 WHEN 1 THEN q1_0 WHEN 2 THEN q1_1 END, CASE level_2 WHEN 1 THEN q2_0 WHEN 2 THEN q2_1 END]) AS child,
        v1,
        row_count
      FROM temp.main."sqlgen_region_0"
    ) AS column_cell
    WHERE child IS NOT NULL
  ) AS cell
  JOIN temp.main."sqlgen_finer_1" AS finer
    ON cell.region = finer.region
    AND cell.quasi = finer.quasi
    AND cell.child = finer.child
  JOIN (
    SELECT region, quasi
    FROM temp.main."sqlgen_finer_1"
    GROUP BY region, quasi
    HAVING BOOL_OR(passes) AND NOT BOOL_AND(passes)
  ) AS partly
    ON cell.region = partly.region
    AND cell.quasi = partly.quasi
  WHERE NOT finer.passes
)
