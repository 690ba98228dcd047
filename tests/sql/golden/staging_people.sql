CREATE TEMPORARY TABLE temp.main."sqlgen_people_1" AS
WITH person AS (
  SELECT
    DENSE_RANK() OVER (ORDER BY q1 ASC NULLS FIRST, q2 ASC NULLS FIRST) AS person_id,
    *
  FROM (
    SELECT
      CAST("referred"."zip" AS VARCHAR) COLLATE C AS q1,
      "referred"."age" AS q2,
      CAST(SUM(1) AS BIGINT) AS person_count
    FROM (
    SELECT
      "zip",
      CAST("age" AS INTEGER) AS "age",
      "disease",
      "weight"
    FROM "memory"."main"."town"
  ) AS referred
    GROUP BY CAST("referred"."zip" AS VARCHAR) COLLATE C, "referred"."age"
    HAVING SUM(1) > 0
  ) AS person
),
named_1 AS (
  SELECT DISTINCT name.level, name.label, CASE name.level WHEN 0 THEN ladder.id_0 WHEN 1 THEN ladder.id_1 END AS id
  FROM temp.main."sqlgen_ladder_1" AS ladder
  JOIN (
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
          FROM (SELECT value AS "zip" FROM temp.main."sqlgen_ladder_1") AS source
          GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
        ) AS value_count
      ) AS labels
    ),
    kept AS (
      SELECT *, TRUE AS is_kept
      FROM labelled
    )
    SELECT value, 0 AS level, CAST(value AS VARCHAR) COLLATE C AS label
    FROM kept
    WHERE is_kept AND row_count > 0
    UNION
    SELECT value, 1 AS level, CAST((CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_1
        END) COLLATE C AS VARCHAR) COLLATE C AS label
    FROM kept
    WHERE is_kept AND row_count > 0 AND missing_level IS NULL
    UNION
    SELECT value, 2 AS level, CAST('*' AS VARCHAR) COLLATE C AS label
    FROM kept
    WHERE is_kept AND row_count > 0
  ) AS name
    ON ladder.value IS NOT DISTINCT FROM name.value
),
known_1 AS (
  SELECT
    name.value,
    MAX(named.id) FILTER (WHERE name.level = 0) AS id_0,
    MAX(named.id) FILTER (WHERE name.level = 1) AS id_1,
    TRUE AS is_kept
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
          FROM (
      SELECT
        "zip",
        CAST("age" AS INTEGER) AS "age",
        "disease",
        "weight"
      FROM "memory"."main"."town"
    ) AS source
          GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
        ) AS value_count
      ) AS labels
    ),
    kept AS (
      SELECT *, TRUE AS is_kept
      FROM labelled
    )
    SELECT value, 0 AS level, CAST(value AS VARCHAR) COLLATE C AS label
    FROM kept
    WHERE is_kept AND row_count > 0
    UNION
    SELECT value, 1 AS level, CAST((CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_1
        END) COLLATE C AS VARCHAR) COLLATE C AS label
    FROM kept
    WHERE is_kept AND row_count > 0 AND missing_level IS NULL
    UNION
    SELECT value, 2 AS level, CAST('*' AS VARCHAR) COLLATE C AS label
    FROM kept
    WHERE is_kept AND row_count > 0
  ) AS name
  LEFT JOIN named_1 AS named
    ON name.level = named.level
    AND name.label IS NOT DISTINCT FROM named.label
  GROUP BY name.value
),
named_2 AS (
  SELECT DISTINCT name.level, name.label, CASE name.level WHEN 0 THEN ladder.id_0 WHEN 1 THEN ladder.id_1 END AS id
  FROM temp.main."sqlgen_ladder_2" AS ladder
  JOIN (
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
          FROM (SELECT value AS "age" FROM temp.main."sqlgen_ladder_2") AS source
          GROUP BY "source"."age"
        ) AS value_count
      ) AS labels
    ),
    kept AS (
      SELECT *, TRUE AS is_kept
      FROM labelled
    )
    SELECT value, 0 AS level, CAST(value AS VARCHAR) COLLATE C AS label
    FROM kept
    WHERE is_kept AND row_count > 0
    UNION
    SELECT value, 1 AS level, CAST((CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_1
        END) COLLATE C AS VARCHAR) COLLATE C AS label
    FROM kept
    WHERE is_kept AND row_count > 0 AND missing_level IS NULL
    UNION
    SELECT value, 2 AS level, CAST('*' AS VARCHAR) COLLATE C AS label
    FROM kept
    WHERE is_kept AND row_count > 0
  ) AS name
    ON ladder.value IS NOT DISTINCT FROM name.value
),
known_2 AS (
  SELECT
    name.value,
    MAX(named.id) FILTER (WHERE name.level = 0) AS id_0,
    MAX(named.id) FILTER (WHERE name.level = 1) AS id_1,
    TRUE AS is_kept
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
          '[' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 5 + 5) % 5 AS DECIMAL(38, 0)) AS VARCHAR)
                  || ', ' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 5 + 5) % 5 + 5 AS DECIMAL(38, 0)) AS VARCHAR)
                  || ')' AS label_1
        FROM (
          SELECT "source"."age" AS value, COUNT(*) AS row_count
          FROM (
      SELECT
        "zip",
        CAST("age" AS INTEGER) AS "age",
        "disease",
        "weight"
      FROM "memory"."main"."town"
    ) AS source
          GROUP BY "source"."age"
        ) AS value_count
      ) AS labels
    ),
    kept AS (
      SELECT *, TRUE AS is_kept
      FROM labelled
    )
    SELECT value, 0 AS level, CAST(value AS VARCHAR) COLLATE C AS label
    FROM kept
    WHERE is_kept AND row_count > 0
    UNION
    SELECT value, 1 AS level, CAST((CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_1
        END) COLLATE C AS VARCHAR) COLLATE C AS label
    FROM kept
    WHERE is_kept AND row_count > 0 AND missing_level IS NULL
    UNION
    SELECT value, 2 AS level, CAST('*' AS VARCHAR) COLLATE C AS label
    FROM kept
    WHERE is_kept AND row_count > 0
  ) AS name
  LEFT JOIN named_2 AS named
    ON name.level = named.level
    AND name.label IS NOT DISTINCT FROM named.label
  GROUP BY name.value
)
SELECT
  person.person_id,
  known_1.id_0 AS q1_0,
  known_1.id_1 AS q1_1,
  known_2.id_0 AS q2_0,
  known_2.id_1 AS q2_1,
  COALESCE(known_1.is_kept, FALSE) AND COALESCE(known_2.is_kept, FALSE) AS is_kept,
  person.person_count
FROM person
LEFT JOIN known_1
  ON person.q1 IS NOT DISTINCT FROM known_1.value
LEFT JOIN known_2
  ON person.q2 IS NOT DISTINCT FROM known_2.value
