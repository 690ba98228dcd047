CREATE TEMPORARY TABLE temp.main."sqlgen_joint_value_q1" AS
WITH distinct_value AS MATERIALIZED (
  SELECT DISTINCT CAST("source"."zip" AS VARCHAR) COLLATE C AS "zip"
  FROM "memory"."main"."patients" AS source
)
SELECT
  distinct_value."zip" AS value,
  CAST(ROW_NUMBER() OVER () AS UINTEGER) AS id,
  at_2.id AS id_at_2
FROM distinct_value
LEFT JOIN (
  SELECT named.value, label.id
  FROM (
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
          FROM distinct_value AS source
          GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
        ) AS value_count
      ) AS labels
    ),
    kept AS (
      SELECT *, TRUE AS is_kept
      FROM labelled
    )
    SELECT value, 2 AS level, CAST('*' AS VARCHAR) COLLATE C AS label
    FROM kept
    WHERE is_kept AND row_count > 0
  ) AS named
  JOIN temp.main."sqlgen_joint_label_q1" AS label
    ON named.label IS NOT DISTINCT FROM label.called
) AS at_2
  ON distinct_value."zip" IS NOT DISTINCT FROM at_2.value
