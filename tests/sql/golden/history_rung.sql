CREATE TEMPORARY TABLE temp.main."sqlgen_joint_rung_0_1" AS
SELECT DISTINCT text_from.id AS id_from, text_to.id AS id_to
FROM (
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
        FROM "memory"."main"."patients" AS source
        GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
      ) AS value_count
      FULL JOIN (
        SELECT DISTINCT
          TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
          CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
          CAST(field_2 AS VARCHAR) COLLATE C AS label_2
        FROM (VALUES
          ('flu', 'a', 'ill', '*'),
          ('ulcer', 'b', 'ill', '*')
        ) AS line (field_0, field_1, field_2, field_3)
        WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
      ) AS leaf
        ON value_count.value = leaf.value
    ) AS labels
  ),
  kept AS (
    SELECT *, TRUE AS is_kept
    FROM labelled
  )
  SELECT value, 0 AS level, CAST(value AS VARCHAR) COLLATE C AS label
  FROM kept
  WHERE is_kept AND TRUE
) AS label_from
JOIN (
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
        FROM "memory"."main"."patients" AS source
        GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
      ) AS value_count
      FULL JOIN (
        SELECT DISTINCT
          TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
          CAST(field_1 AS VARCHAR) COLLATE C AS label_1,
          CAST(field_2 AS VARCHAR) COLLATE C AS label_2
        FROM (VALUES
          ('flu', 'a', 'ill', '*'),
          ('ulcer', 'b', 'ill', '*')
        ) AS line (field_0, field_1, field_2, field_3)
        WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
      ) AS leaf
        ON value_count.value = leaf.value
    ) AS labels
  ),
  kept AS (
    SELECT *, TRUE AS is_kept
    FROM labelled
  )
  SELECT value, 1 AS level, CAST((CASE
        WHEN value IS NULL THEN NULL
        WHEN missing_level IS NOT NULL THEN NULL
        ELSE label_1
      END) COLLATE C AS VARCHAR) COLLATE C AS label
  FROM kept
  WHERE is_kept AND missing_level IS NULL
) AS label_to
  ON label_from.value IS NOT DISTINCT FROM label_to.value
JOIN temp.main."sqlgen_joint_label_s1" AS text_from
  ON label_from.label IS NOT DISTINCT FROM text_from.called
JOIN temp.main."sqlgen_joint_label_s1" AS text_to
  ON label_to.label IS NOT DISTINCT FROM text_to.called
