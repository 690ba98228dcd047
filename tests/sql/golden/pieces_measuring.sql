-- measuring/matched
SELECT
  q1_0 AS key_1,
  q2_1 AS key_2,
  person_id,
  person_count
FROM temp.main."sqlgen_people_1"
WHERE is_kept

-- measuring/pair_cells
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

-- measuring/pair_misfits
(
  SELECT CAST(COALESCE(SUM(group_count) FILTER (WHERE is_misfit), 0) AS BIGINT)
  FROM temp.main."sqlgen_pair_alike"
)

-- measuring/pair_rows
(
  SELECT "group_id", "disease"
  FROM (
    SELECT
      CAST("group_id" AS BIGINT) AS "group_id",
      "disease",
      UNNEST(RANGE(CAST("row_count" AS BIGINT))) AS turn
    FROM "memory"."main"."grouped_sensitive"
  ) AS counted_row
)
