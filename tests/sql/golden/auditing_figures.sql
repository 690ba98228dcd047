WITH
cell AS MATERIALIZED (
  SELECT
    CAST("audited"."zip" AS VARCHAR) COLLATE C AS q1,
    CAST("audited"."age" AS VARCHAR) COLLATE C AS q2,
    CAST("audited"."disease" AS VARCHAR) COLLATE C AS s1,
    COUNT(*) AS row_count
  FROM "memory"."main"."matched" AS audited
  GROUP BY CAST("audited"."zip" AS VARCHAR) COLLATE C, CAST("audited"."age" AS VARCHAR) COLLATE C, CAST("audited"."disease" AS VARCHAR) COLLATE C
),
value_1 AS MATERIALIZED (
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
        SELECT CAST("source"."disease" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
        FROM (
    SELECT CAST("disease" AS VARCHAR) AS "disease"
    FROM (SELECT s1 AS "disease" FROM cell)
    UNION ALL
    SELECT CAST("disease" AS VARCHAR) AS "disease"
    FROM (
      SELECT
        "zip",
        CAST("age" AS INTEGER) AS "age",
        "disease",
        "weight"
      FROM "memory"."main"."town"
    )
  ) AS source
        GROUP BY CAST("source"."disease" AS VARCHAR) COLLATE C
      ) AS value_count
      FULL JOIN (
        SELECT DISTINCT
          TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
  CAST(field_1 AS VARCHAR) COLLATE C AS label_1
        FROM (VALUES
          ('flu', 'ill', '*'),
          ('ulcer', 'ill', '*')
        ) AS line (field_0, field_1, field_2)
        WHERE TRY_CAST(field_0 AS VARCHAR) IS NOT NULL
      ) AS leaf
        ON value_count.value = leaf.value
    ) AS labels
  ),
  leaf AS (
    SELECT
      value,
      row_count,
      missing_level,
      TRUE AS is_kept,
      value AS final_0,
      (CASE
        WHEN value IS NULL THEN NULL
        WHEN missing_level IS NOT NULL THEN NULL
        ELSE label_1
      END) COLLATE C AS final_1
    FROM labelled
  )
  SELECT
    value,
    row_count,
    missing_level,
    is_kept,
    CAST(DENSE_RANK() OVER (ORDER BY final_0 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_0,
    CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1,
    ROW_NUMBER() OVER (ORDER BY CASE WHEN value IS NOT NULL THEN LIST_POSITION([TRY_CAST('flu' AS VARCHAR), TRY_CAST('ulcer' AS VARCHAR)], value) END ASC NULLS FIRST, final_0 ASC NULLS FIRST) AS position
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
    BOOL_AND(COALESCE(v1 = (SELECT MIN(id_0) FROM value_1 WHERE value IS NULL), FALSE)) AS is_withheld,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY key_1, key_2
),
class_0 AS (
  SELECT class_id, class_size, is_withheld, is_withheld AS was_empty
  FROM class
  WHERE NOT (FALSE)
),
class_cell_0 AS MATERIALIZED (
  SELECT
    class.class_id,
    class.class_size,
    class.is_withheld,
    counted.v1,
    counted.row_count
  FROM counted
  JOIN class
    ON counted.key_1 IS NOT DISTINCT FROM class.key_1 AND counted.key_2 IS NOT DISTINCT FROM class.key_2
  WHERE NOT (FALSE)
),
shown_cell_0 AS (
  SELECT *
  FROM class_cell_0
  WHERE NOT is_withheld
),
person_1 AS MATERIALIZED (
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
person_2 AS MATERIALIZED (
  SELECT
    DENSE_RANK() OVER (ORDER BY q1 ASC NULLS FIRST, q2 ASC NULLS FIRST) AS person_id,
    *
  FROM (
    SELECT
      CAST("referred"."zip" AS VARCHAR) COLLATE C AS q1,
      "referred"."age" AS q2,
      value.id_0 AS value_id,
      CAST(SUM(CAST(referred."weight" * 10 AS HUGEINT)) AS BIGINT) AS person_count
    FROM (
    SELECT
      "zip",
      CAST("age" AS INTEGER) AS "age",
      "disease",
      "weight"
    FROM "memory"."main"."town"
  ) AS referred
    JOIN value_1 AS value
      ON CAST(CAST("referred"."disease" AS VARCHAR) COLLATE C AS VARCHAR) IS NOT DISTINCT FROM value.value
    GROUP BY CAST("referred"."zip" AS VARCHAR) COLLATE C, "referred"."age", value.id_0
    HAVING SUM(CAST(referred."weight" * 10 AS HUGEINT)) > 0
  ) AS person
),
people_1 AS MATERIALIZED (
  SELECT
    class.class_id,
    matched.person_id,
    matched.person_count
  FROM (
    WITH named_person AS MATERIALIZED (
      SELECT
        name_1.id AS key_1,
        name_2.id AS key_2,
        person.person_id,
        person.person_count
      FROM person_1 AS person
      JOIN (
        SELECT DISTINCT named.value, named.label AS id
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
            SELECT
              *,
              TRUE AS is_kept
            FROM labelled
          )
          SELECT
            value,
            0 AS level,
            CAST(value AS VARCHAR) COLLATE C AS label
          FROM kept
          WHERE is_kept AND row_count > 0
        ) AS named
        JOIN (SELECT DISTINCT CAST(key_1 AS VARCHAR) COLLATE C AS label FROM class) AS shown
          ON named.label IS NOT DISTINCT FROM shown.label
      ) AS name_1
        ON person.q1 IS NOT DISTINCT FROM name_1.value
      JOIN (
        SELECT DISTINCT named.value, named.label AS id
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
            SELECT
              *,
              TRUE AS is_kept
            FROM labelled
          )
          SELECT
            value,
            1 AS level,
            CAST((CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_1
              END) COLLATE C AS VARCHAR) COLLATE C AS label
          FROM kept
          WHERE is_kept AND row_count > 0 AND missing_level IS NULL
        ) AS named
        JOIN (SELECT DISTINCT CAST(key_2 AS VARCHAR) COLLATE C AS label FROM class) AS shown
          ON named.label IS NOT DISTINCT FROM shown.label
      ) AS name_2
        ON person.q2 IS NOT DISTINCT FROM name_2.value
    )
    SELECT *
    FROM named_person
  ) AS matched
  JOIN class
    ON CAST(class.key_1 AS VARCHAR) COLLATE C IS NOT DISTINCT FROM matched.key_1 AND CAST(class.key_2 AS VARCHAR) COLLATE C IS NOT DISTINCT FROM matched.key_2
),
people_2 AS MATERIALIZED (
  SELECT
    class.class_id,
    matched.person_id,
    matched.value_id,
    matched.person_count
  FROM (
    WITH named_person AS MATERIALIZED (
      SELECT
        name_1.id AS key_1,
        name_2.id AS key_2,
        person.person_id,
        person.value_id,
        person.person_count
      FROM person_2 AS person
      JOIN (
        SELECT DISTINCT named.value, named.label AS id
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
            SELECT
              *,
              TRUE AS is_kept
            FROM labelled
          )
          SELECT
            value,
            0 AS level,
            CAST(value AS VARCHAR) COLLATE C AS label
          FROM kept
          WHERE is_kept AND row_count > 0
        ) AS named
        JOIN (SELECT DISTINCT CAST(key_1 AS VARCHAR) COLLATE C AS label FROM class) AS shown
          ON named.label IS NOT DISTINCT FROM shown.label
      ) AS name_1
        ON person.q1 IS NOT DISTINCT FROM name_1.value
      JOIN (
        SELECT DISTINCT named.value, named.label AS id
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
            SELECT
              *,
              TRUE AS is_kept
            FROM labelled
          )
          SELECT
            value,
            1 AS level,
            CAST((CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_1
              END) COLLATE C AS VARCHAR) COLLATE C AS label
          FROM kept
          WHERE is_kept AND row_count > 0 AND missing_level IS NULL
        ) AS named
        JOIN (SELECT DISTINCT CAST(key_2 AS VARCHAR) COLLATE C AS label FROM class) AS shown
          ON named.label IS NOT DISTINCT FROM shown.label
      ) AS name_2
        ON person.q2 IS NOT DISTINCT FROM name_2.value
    )
    SELECT *
    FROM named_person
  ) AS matched
  JOIN class
    ON CAST(class.key_1 AS VARCHAR) COLLATE C IS NOT DISTINCT FROM matched.key_1 AND CAST(class.key_2 AS VARCHAR) COLLATE C IS NOT DISTINCT FROM matched.key_2
)
SELECT
  COUNT(*) FILTER (WHERE figure_1 >= 6 AND figure_1 < 8) AS classes_1_1,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_1 >= 6 AND figure_1 < 8), 0) AS BIGINT) AS rows_1_1,
  COUNT(*) FILTER (WHERE figure_1 >= 8 AND figure_1 < 10) AS classes_1_2,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_1 >= 8 AND figure_1 < 10), 0) AS BIGINT) AS rows_1_2,
  COUNT(*) FILTER (WHERE figure_1 >= 10 AND figure_1 < 12) AS classes_1_3,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_1 >= 10 AND figure_1 < 12), 0) AS BIGINT) AS rows_1_3,
  COUNT(*) FILTER (WHERE figure_1 >= 12 AND figure_1 < 14) AS classes_1_4,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_1 >= 12 AND figure_1 < 14), 0) AS BIGINT) AS rows_1_4,
  COUNT(*) FILTER (WHERE figure_1 >= 14 AND figure_1 < 16) AS classes_1_5,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_1 >= 14 AND figure_1 < 16), 0) AS BIGINT) AS rows_1_5,
  COUNT(*) FILTER (WHERE figure_1 >= 16 AND figure_1 < 18) AS classes_1_6,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_1 >= 16 AND figure_1 < 18), 0) AS BIGINT) AS rows_1_6,
  COUNT(*) FILTER (WHERE figure_1 >= 18 AND figure_1 < 20) AS classes_1_7,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_1 >= 18 AND figure_1 < 20), 0) AS BIGINT) AS rows_1_7,
  COUNT(*) FILTER (WHERE figure_1 >= 20 AND figure_1 < 22) AS classes_1_8,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_1 >= 20 AND figure_1 < 22), 0) AS BIGINT) AS rows_1_8,
  COUNT(*) FILTER (WHERE figure_2 >= 0.50 AND figure_2 < 0.55) AS classes_2_1,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_2 >= 0.50 AND figure_2 < 0.55), 0) AS BIGINT) AS rows_2_1,
  COUNT(*) FILTER (WHERE figure_2 >= 0.55 AND figure_2 < 0.60) AS classes_2_2,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_2 >= 0.55 AND figure_2 < 0.60), 0) AS BIGINT) AS rows_2_2,
  COUNT(*) FILTER (WHERE figure_2 >= 0.60 AND figure_2 < 0.65) AS classes_2_3,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_2 >= 0.60 AND figure_2 < 0.65), 0) AS BIGINT) AS rows_2_3,
  COUNT(*) FILTER (WHERE figure_2 >= 0.65 AND figure_2 < 0.70) AS classes_2_4,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_2 >= 0.65 AND figure_2 < 0.70), 0) AS BIGINT) AS rows_2_4,
  COUNT(*) FILTER (WHERE figure_2 >= 0.70 AND figure_2 < 0.75) AS classes_2_5,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_2 >= 0.70 AND figure_2 < 0.75), 0) AS BIGINT) AS rows_2_5,
  COUNT(*) FILTER (WHERE figure_2 >= 0.75 AND figure_2 < 0.80) AS classes_2_6,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_2 >= 0.75 AND figure_2 < 0.80), 0) AS BIGINT) AS rows_2_6,
  COUNT(*) FILTER (WHERE figure_2 >= 0.80 AND figure_2 < 0.85) AS classes_2_7,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_2 >= 0.80 AND figure_2 < 0.85), 0) AS BIGINT) AS rows_2_7,
  COUNT(*) FILTER (WHERE figure_2 >= 0.85 AND figure_2 < 0.90) AS classes_2_8,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_2 >= 0.85 AND figure_2 < 0.90), 0) AS BIGINT) AS rows_2_8,
  COUNT(*) FILTER (WHERE figure_2 >= 0.90 AND figure_2 < 0.95) AS classes_2_9,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_2 >= 0.90 AND figure_2 < 0.95), 0) AS BIGINT) AS rows_2_9,
  COUNT(*) FILTER (WHERE figure_2 >= 0.95 AND figure_2 < 1.00) AS classes_2_10,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_2 >= 0.95 AND figure_2 < 1.00), 0) AS BIGINT) AS rows_2_10,
  COUNT(*) FILTER (WHERE figure_2 >= 1.00 AND figure_2 < 1.05) AS classes_2_11,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_2 >= 1.00 AND figure_2 < 1.05), 0) AS BIGINT) AS rows_2_11,
  COUNT(*) FILTER (WHERE figure_4 >= 0.50 AND figure_4 < 0.55) AS classes_4_1,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_4 >= 0.50 AND figure_4 < 0.55), 0) AS BIGINT) AS rows_4_1,
  COUNT(*) FILTER (WHERE figure_4 >= 0.55 AND figure_4 < 0.60) AS classes_4_2,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_4 >= 0.55 AND figure_4 < 0.60), 0) AS BIGINT) AS rows_4_2,
  COUNT(*) FILTER (WHERE figure_4 >= 0.60 AND figure_4 < 0.65) AS classes_4_3,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_4 >= 0.60 AND figure_4 < 0.65), 0) AS BIGINT) AS rows_4_3,
  COUNT(*) FILTER (WHERE figure_4 >= 0.65 AND figure_4 < 0.70) AS classes_4_4,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_4 >= 0.65 AND figure_4 < 0.70), 0) AS BIGINT) AS rows_4_4,
  COUNT(*) FILTER (WHERE figure_4 >= 0.70 AND figure_4 < 0.75) AS classes_4_5,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_4 >= 0.70 AND figure_4 < 0.75), 0) AS BIGINT) AS rows_4_5,
  COUNT(*) FILTER (WHERE figure_4 >= 0.75 AND figure_4 < 0.80) AS classes_4_6,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_4 >= 0.75 AND figure_4 < 0.80), 0) AS BIGINT) AS rows_4_6,
  COUNT(*) FILTER (WHERE figure_4 >= 0.80 AND figure_4 < 0.85) AS classes_4_7,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_4 >= 0.80 AND figure_4 < 0.85), 0) AS BIGINT) AS rows_4_7,
  COUNT(*) FILTER (WHERE figure_4 >= 0.85 AND figure_4 < 0.90) AS classes_4_8,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_4 >= 0.85 AND figure_4 < 0.90), 0) AS BIGINT) AS rows_4_8,
  COUNT(*) FILTER (WHERE figure_4 >= 0.90 AND figure_4 < 0.95) AS classes_4_9,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_4 >= 0.90 AND figure_4 < 0.95), 0) AS BIGINT) AS rows_4_9,
  COUNT(*) FILTER (WHERE figure_4 >= 0.95 AND figure_4 < 1.00) AS classes_4_10,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_4 >= 0.95 AND figure_4 < 1.00), 0) AS BIGINT) AS rows_4_10,
  COUNT(*) FILTER (WHERE figure_4 >= 1.00 AND figure_4 < 1.05) AS classes_4_11,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_4 >= 1.00 AND figure_4 < 1.05), 0) AS BIGINT) AS rows_4_11,
  COUNT(*) FILTER (WHERE figure_5 >= 0.32 AND figure_5 < 0.34) AS classes_5_1,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_5 >= 0.32 AND figure_5 < 0.34), 0) AS BIGINT) AS rows_5_1,
  COUNT(*) FILTER (WHERE figure_5 >= 0.34 AND figure_5 < 0.36) AS classes_5_2,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_5 >= 0.34 AND figure_5 < 0.36), 0) AS BIGINT) AS rows_5_2,
  COUNT(*) FILTER (WHERE figure_5 >= 0.36 AND figure_5 < 0.38) AS classes_5_3,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_5 >= 0.36 AND figure_5 < 0.38), 0) AS BIGINT) AS rows_5_3,
  COUNT(*) FILTER (WHERE figure_5 >= 0.38 AND figure_5 < 0.40) AS classes_5_4,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_5 >= 0.38 AND figure_5 < 0.40), 0) AS BIGINT) AS rows_5_4,
  COUNT(*) FILTER (WHERE figure_5 >= 0.40 AND figure_5 < 0.42) AS classes_5_5,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_5 >= 0.40 AND figure_5 < 0.42), 0) AS BIGINT) AS rows_5_5,
  COUNT(*) FILTER (WHERE figure_5 >= 0.42 AND figure_5 < 0.44) AS classes_5_6,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_5 >= 0.42 AND figure_5 < 0.44), 0) AS BIGINT) AS rows_5_6,
  COUNT(*) FILTER (WHERE figure_5 >= 0.44 AND figure_5 < 0.46) AS classes_5_7,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_5 >= 0.44 AND figure_5 < 0.46), 0) AS BIGINT) AS rows_5_7,
  COUNT(*) FILTER (WHERE figure_5 >= 0.46 AND figure_5 < 0.48) AS classes_5_8,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_5 >= 0.46 AND figure_5 < 0.48), 0) AS BIGINT) AS rows_5_8,
  COUNT(*) FILTER (WHERE figure_5 >= 0.48 AND figure_5 < 0.50) AS classes_5_9,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_5 >= 0.48 AND figure_5 < 0.50), 0) AS BIGINT) AS rows_5_9,
  COUNT(*) FILTER (WHERE figure_5 >= 0.50 AND figure_5 < 0.52) AS classes_5_10,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_5 >= 0.50 AND figure_5 < 0.52), 0) AS BIGINT) AS rows_5_10,
  COUNT(*) FILTER (WHERE figure_6 >= 0.00 AND figure_6 < 0.02) AS classes_6_1,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_6 >= 0.00 AND figure_6 < 0.02), 0) AS BIGINT) AS rows_6_1,
  COUNT(*) FILTER (WHERE figure_6 >= 0.02 AND figure_6 < 0.04) AS classes_6_2,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_6 >= 0.02 AND figure_6 < 0.04), 0) AS BIGINT) AS rows_6_2,
  COUNT(*) FILTER (WHERE figure_6 >= 0.04 AND figure_6 < 0.06) AS classes_6_3,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_6 >= 0.04 AND figure_6 < 0.06), 0) AS BIGINT) AS rows_6_3,
  COUNT(*) FILTER (WHERE figure_6 >= 0.06 AND figure_6 < 0.08) AS classes_6_4,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_6 >= 0.06 AND figure_6 < 0.08), 0) AS BIGINT) AS rows_6_4,
  COUNT(*) FILTER (WHERE figure_6 >= 0.08 AND figure_6 < 0.10) AS classes_6_5,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_6 >= 0.08 AND figure_6 < 0.10), 0) AS BIGINT) AS rows_6_5,
  COUNT(*) FILTER (WHERE figure_6 >= 0.10 AND figure_6 < 0.12) AS classes_6_6,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_6 >= 0.10 AND figure_6 < 0.12), 0) AS BIGINT) AS rows_6_6,
  COUNT(*) FILTER (WHERE figure_6 >= 0.12 AND figure_6 < 0.14) AS classes_6_7,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_6 >= 0.12 AND figure_6 < 0.14), 0) AS BIGINT) AS rows_6_7,
  COUNT(*) FILTER (WHERE figure_6 >= 0.14 AND figure_6 < 0.16) AS classes_6_8,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_6 >= 0.14 AND figure_6 < 0.16), 0) AS BIGINT) AS rows_6_8,
  COUNT(*) FILTER (WHERE figure_6 >= 0.16 AND figure_6 < 0.18) AS classes_6_9,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_6 >= 0.16 AND figure_6 < 0.18), 0) AS BIGINT) AS rows_6_9,
  COUNT(*) FILTER (WHERE figure_7 >= 0.00 AND figure_7 < 0.02) AS classes_7_1,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_7 >= 0.00 AND figure_7 < 0.02), 0) AS BIGINT) AS rows_7_1,
  COUNT(*) FILTER (WHERE figure_7 >= 0.02 AND figure_7 < 0.04) AS classes_7_2,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_7 >= 0.02 AND figure_7 < 0.04), 0) AS BIGINT) AS rows_7_2,
  COUNT(*) FILTER (WHERE figure_7 >= 0.04 AND figure_7 < 0.06) AS classes_7_3,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_7 >= 0.04 AND figure_7 < 0.06), 0) AS BIGINT) AS rows_7_3,
  COUNT(*) FILTER (WHERE figure_7 >= 0.06 AND figure_7 < 0.08) AS classes_7_4,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_7 >= 0.06 AND figure_7 < 0.08), 0) AS BIGINT) AS rows_7_4,
  COUNT(*) FILTER (WHERE figure_7 >= 0.08 AND figure_7 < 0.10) AS classes_7_5,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_7 >= 0.08 AND figure_7 < 0.10), 0) AS BIGINT) AS rows_7_5,
  COUNT(*) FILTER (WHERE figure_7 >= 0.10 AND figure_7 < 0.12) AS classes_7_6,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_7 >= 0.10 AND figure_7 < 0.12), 0) AS BIGINT) AS rows_7_6,
  COUNT(*) FILTER (WHERE figure_7 >= 0.12 AND figure_7 < 0.14) AS classes_7_7,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_7 >= 0.12 AND figure_7 < 0.14), 0) AS BIGINT) AS rows_7_7,
  COUNT(*) FILTER (WHERE figure_8 >= 0.000 AND figure_8 < 0.010) AS classes_8_1,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_8 >= 0.000 AND figure_8 < 0.010), 0) AS BIGINT) AS rows_8_1,
  COUNT(*) FILTER (WHERE figure_8 >= 0.010 AND figure_8 < 0.020) AS classes_8_2,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_8 >= 0.010 AND figure_8 < 0.020), 0) AS BIGINT) AS rows_8_2,
  COUNT(*) FILTER (WHERE figure_8 >= 0.020 AND figure_8 < 0.030) AS classes_8_3,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_8 >= 0.020 AND figure_8 < 0.030), 0) AS BIGINT) AS rows_8_3,
  COUNT(*) FILTER (WHERE figure_8 >= 0.030 AND figure_8 < 0.040) AS classes_8_4,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_8 >= 0.030 AND figure_8 < 0.040), 0) AS BIGINT) AS rows_8_4,
  COUNT(*) FILTER (WHERE figure_8 >= 0.040 AND figure_8 < 0.050) AS classes_8_5,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_8 >= 0.040 AND figure_8 < 0.050), 0) AS BIGINT) AS rows_8_5,
  COUNT(*) FILTER (WHERE figure_8 >= 0.050 AND figure_8 < 0.060) AS classes_8_6,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_8 >= 0.050 AND figure_8 < 0.060), 0) AS BIGINT) AS rows_8_6,
  COUNT(*) FILTER (WHERE figure_8 >= 0.060 AND figure_8 < 0.070) AS classes_8_7,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_8 >= 0.060 AND figure_8 < 0.070), 0) AS BIGINT) AS rows_8_7,
  COUNT(*) FILTER (WHERE figure_8 >= 0.070 AND figure_8 < 0.080) AS classes_8_8,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_8 >= 0.070 AND figure_8 < 0.080), 0) AS BIGINT) AS rows_8_8,
  COUNT(*) FILTER (WHERE figure_8 >= 0.080 AND figure_8 < 0.090) AS classes_8_9,
  CAST(COALESCE(SUM(class_size) FILTER (WHERE figure_8 >= 0.080 AND figure_8 < 0.090), 0) AS BIGINT) AS rows_8_9
FROM (
  WITH
    histogram_1 AS (
      SELECT
        class_id,
        class_size,
        v1 AS value_id,
        row_count AS value_count
      FROM shown_cell_0
    ),
    sized_1 AS (
      SELECT class_id, class_size
      FROM class_0
      WHERE NOT is_withheld
    ),
    reference_1 AS MATERIALIZED (
      SELECT
        v1 AS value_id,
        CAST(SUM(row_count) AS BIGINT) AS reference_count
      FROM shown_cell_0
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
    CASE WHEN BOOL_OR(fails_1 OR fails_2 OR fails_3) OVER () THEN fails_1 OR fails_2 OR fails_3 ELSE fails_1 OR fails_2 OR fails_3 OR fails_4 OR fails_5 OR fails_6 OR fails_7 OR fails_8 END AS fails,
    is_withheld,
    was_empty,
    fails_1 OR fails_2 OR fails_3 AS drops,
    is_withheld OR (NOT BOOL_OR(fails_1 OR fails_2 OR fails_3) OVER () AND (fails_4 OR fails_5 OR fails_6 OR fails_7 OR fails_8)) AS withholds,
    LEAST(class_size, GREATEST(0, repair_1, repair_2)) AS repair,
    figure_1,
    fails_1,
    figure_2,
    fails_2,
    figure_3,
    fails_3,
    figure_4,
    fails_4,
    figure_5,
    fails_5,
    figure_6,
    fails_6,
    figure_7,
    fails_7,
    figure_8,
    fails_8
  FROM (
    SELECT
      class.class_id,
      class.class_size,
      class.is_withheld,
      class.was_empty,
      verdict_1.figure AS figure_1,
      CASE WHEN verdict_1.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(1.999999799 AS DOUBLE) AND verdict_1.figure <= 1.7976931348623157e308, FALSE) END AS fails_1,
      CASE
        WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_1,
      verdict_2.figure AS figure_2,
      CASE WHEN verdict_2.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_2.fails, TRUE) OR NOT COALESCE(verdict_2.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_2.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_2,
      CASE
        WHEN NOT COALESCE(verdict_2.fails, TRUE) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_2.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_2,
      verdict_3.figure AS figure_3,
      CASE WHEN verdict_3.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_3.fails, TRUE) OR NOT COALESCE(verdict_3.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_3.figure <= CAST(0.000000001 AS DOUBLE), FALSE) END AS fails_3,
      CASE
        WHEN NOT COALESCE(verdict_3.fails, TRUE) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_3.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_3,
      verdict_4.figure AS figure_4,
      CASE WHEN verdict_4.class_id IS NULL THEN NOT class.is_withheld ELSE COALESCE(verdict_4.fails, TRUE) OR NOT COALESCE(verdict_4.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_4.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_4,
      CASE
        WHEN NOT COALESCE(verdict_4.fails, NOT class.is_withheld) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_4.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_4,
      verdict_5.figure AS figure_5,
      CASE WHEN verdict_5.class_id IS NULL THEN NOT class.is_withheld ELSE COALESCE(verdict_5.fails, TRUE) OR NOT COALESCE(verdict_5.figure >= CAST(0.009999998000000000208166796301 AS DOUBLE) AND verdict_5.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_5,
      CASE
        WHEN NOT COALESCE(verdict_5.fails, NOT class.is_withheld) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_5.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_5,
      verdict_6.figure AS figure_6,
      CASE WHEN verdict_6.class_id IS NULL THEN NOT class.is_withheld ELSE COALESCE(verdict_6.fails, TRUE) OR NOT COALESCE(verdict_6.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_6.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_6,
      CASE
        WHEN NOT COALESCE(verdict_6.fails, NOT class.is_withheld) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_6.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_6,
      verdict_7.figure AS figure_7,
      CASE WHEN verdict_7.class_id IS NULL THEN NOT class.is_withheld ELSE COALESCE(verdict_7.fails, TRUE) OR NOT COALESCE(verdict_7.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_7.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_7,
      CASE
        WHEN NOT COALESCE(verdict_7.fails, NOT class.is_withheld) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_7.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_7,
      verdict_8.figure AS figure_8,
      CASE WHEN verdict_8.class_id IS NULL THEN NOT class.is_withheld ELSE COALESCE(verdict_8.fails, TRUE) OR NOT COALESCE(verdict_8.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_8.figure <= CAST(1.000000101 AS DOUBLE), FALSE) END AS fails_8,
      CASE
        WHEN NOT COALESCE(verdict_8.fails, NOT class.is_withheld) THEN 0
        ELSE GREATEST(1, CEIL(COALESCE(verdict_8.repair, 0) - 1e-6 - 1e-12 * class_size))
      END AS repair_8
    FROM class_0 AS class
    LEFT JOIN (
      SELECT
        class.class_id,
        COALESCE(matched.person_count, 0) < 2 AS fails,
        COALESCE(matched.person_count, 0) AS figure,
        class.class_size AS repair
      FROM class_0 AS class
      LEFT JOIN (
        SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
        FROM people_1
        GROUP BY class_id
      ) AS matched
        ON class.class_id = matched.class_id
    ) AS verdict_1
      ON class.class_id = verdict_1.class_id
    LEFT JOIN (
      SELECT
        class_id,
        class_size * 1 > 1 * person_count
          OR class_size * 100 < 1 * person_count
          OR missing_people > 0 AS fails,
        CASE WHEN person_count > 0 THEN class_size / person_count ELSE CAST('infinity' AS DOUBLE) END AS figure,
        CASE WHEN class_size * 100 < 1 * person_count THEN class_size ELSE GREATEST(0, class_size - person_count * (1 / 1)) END AS repair
      FROM (
        SELECT
          class.class_id,
          CAST(class.class_size AS HUGEINT) AS class_size,
          CAST(COALESCE(matched.person_count, 0) AS HUGEINT) AS person_count,
          missing.person_count AS missing_people
        FROM class_0 AS class
        LEFT JOIN (
          SELECT class_id, SUM(person_count) AS person_count
          FROM people_1
          GROUP BY class_id
        ) AS matched
          ON class.class_id = matched.class_id
        CROSS JOIN (
          SELECT COUNT(*) AS person_count
          FROM person_1 AS person
          WHERE person.person_id NOT IN (
            SELECT people.person_id
            FROM people_1 AS people
            JOIN class_0 AS class
              ON people.class_id = class.class_id
          )
        ) AS missing
      ) AS class_presence
    ) AS verdict_2
      ON class.class_id = verdict_2.class_id
    LEFT JOIN (
      SELECT
        class_id,
        linked > 0 AS fails,
        linked AS figure,
        0 AS repair
      FROM (
        SELECT
          class.class_id,
          CASE WHEN class.class_size * CAST(1 AS HUGEINT) < 2 THEN matched.person_count ELSE 0 END AS linked
        FROM class_0 AS class
        JOIN (
          SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
          FROM people_1
          GROUP BY class_id
        ) AS matched
          ON class.class_id = matched.class_id
        UNION ALL
        SELECT class_id, 0 AS linked
        FROM class_0 AS class
        WHERE class_id NOT IN (SELECT class_id FROM people_1)
      ) AS class_linkage
    ) AS verdict_3
      ON class.class_id = verdict_3.class_id
    LEFT JOIN (
      SELECT
        class_id,
        BOOL_OR(contradicts OR posterior_part * 1 > 1 * posterior_whole * (1 + 1e-12)) AS fails,
        MAX(CASE WHEN contradicts THEN 1 ELSE posterior_part / posterior_whole END) AS figure,
        0 AS repair
      FROM (
        WITH block AS (
          SELECT class_id, value_id, SUM(person_count) AS block_count
          FROM people_2
          GROUP BY class_id, value_id
        ),
        weighed AS (
          SELECT
            people.class_id,
            people.person_id,
            people.person_count,
            COALESCE(histogram.value_count, 0) * (people.person_count / block.block_count) AS weight
          FROM people_2 AS people
          JOIN block
            ON people.class_id = block.class_id
            AND people.value_id = block.value_id
          LEFT JOIN histogram_1 AS histogram
            ON people.class_id = histogram.class_id
            AND people.value_id = histogram.value_id
        ),
        person AS (
          SELECT
            class_id,
            person_id,
            SUM(person_count) AS person_count,
            SUM(weight) AS weight,
            COUNT(*) AS value_count
          FROM weighed
          GROUP BY class_id, person_id
        )
        SELECT
          weighed.class_id,
          CAST(weighed.person_count AS HUGEINT) AS prior_part,
          CAST(person.person_count AS HUGEINT) AS prior_whole,
          weighed.weight AS posterior_part,
          person.weight AS posterior_whole,
          FALSE AS contradicts
        FROM weighed
        JOIN person
          ON weighed.class_id = person.class_id
          AND weighed.person_id = person.person_id
        WHERE person.weight > 0
        UNION ALL
        SELECT person.class_id, 0, 1, 0, 1, FALSE
        FROM person
        JOIN (SELECT class_id, COUNT(*) AS value_count FROM block GROUP BY class_id) AS possible
          ON person.class_id = possible.class_id
        WHERE person.weight > 0
          AND person.value_count < possible.value_count
        UNION ALL
        SELECT DISTINCT person.class_id, 0, 1, 0, 1, TRUE
        FROM person
        JOIN sized_1 AS sized
          ON person.class_id = sized.class_id
        WHERE NOT person.weight > 0
        UNION ALL
        SELECT histogram.class_id, 0, 1, 0, 1, TRUE
        FROM histogram_1 AS histogram
        LEFT JOIN block
          ON histogram.class_id = block.class_id
          AND histogram.value_id = block.value_id
        WHERE block.class_id IS NULL
      ) AS class_belief
      GROUP BY class_id
    ) AS verdict_4
      ON class.class_id = verdict_4.class_id
    LEFT JOIN (
      SELECT
        class_id,
        BOOL_OR(contradicts OR posterior_part * 100 < 1 * posterior_whole * (1 - 0)) AS fails,
        MIN(CASE WHEN contradicts THEN 0 ELSE posterior_part / posterior_whole END) AS figure,
        0 AS repair
      FROM (
        WITH ranked_value AS (
          SELECT
            value_id,
            reference_count,
            ROW_NUMBER() OVER (ORDER BY reference_count DESC, value_id ASC) AS place
          FROM reference_1
        ),
        first_absent AS (
          SELECT
            class_id,
            class_size,
            reference_rows,
            COALESCE(MAX(held) FILTER (WHERE held = place), 0) + 1 AS place
          FROM (
            SELECT
              histogram.class_id,
              histogram.class_size,
              histogram.reference_rows,
              ranked_value.place,
              ROW_NUMBER() OVER (PARTITION BY histogram.class_id ORDER BY ranked_value.place ASC) AS held
            FROM compared_1 AS histogram
            JOIN ranked_value
              ON histogram.value_id = ranked_value.value_id
          ) AS held_value
          GROUP BY class_id, class_size, reference_rows
        )
        SELECT
          class_id,
          CAST(reference_count AS HUGEINT) AS prior_part,
          CAST(reference_rows AS HUGEINT) AS prior_whole,
          CAST(value_count AS HUGEINT) AS posterior_part,
          CAST(class_size AS HUGEINT) AS posterior_whole,
          FALSE AS contradicts
        FROM compared_1
        UNION ALL
        SELECT
          first_absent.class_id,
          ranked_value.reference_count,
          first_absent.reference_rows,
          0,
          first_absent.class_size,
          FALSE
        FROM first_absent
        JOIN ranked_value
          ON first_absent.place = ranked_value.place
      ) AS class_belief
      GROUP BY class_id
    ) AS verdict_5
      ON class.class_id = verdict_5.class_id
    LEFT JOIN (
      SELECT
        class_id,
        BOOL_OR(
          contradicts
          OR (
            prior_part * 100 < 1 * prior_whole
            AND posterior_part * 100 > 99 * posterior_whole * (1 + 0)
          )
          OR (
            prior_part * 100 > 99 * prior_whole
            AND posterior_part * 100 < 1 * posterior_whole * (1 - 0)
          )
        ) AS fails,
        MAX(CASE WHEN contradicts THEN 1 ELSE ABS(posterior_part / posterior_whole - prior_part / prior_whole) END) AS figure,
        0 AS repair
      FROM (
        WITH ranked_value AS (
          SELECT
            value_id,
            reference_count,
            ROW_NUMBER() OVER (ORDER BY reference_count DESC, value_id ASC) AS place
          FROM reference_1
        ),
        first_absent AS (
          SELECT
            class_id,
            class_size,
            reference_rows,
            COALESCE(MAX(held) FILTER (WHERE held = place), 0) + 1 AS place
          FROM (
            SELECT
              histogram.class_id,
              histogram.class_size,
              histogram.reference_rows,
              ranked_value.place,
              ROW_NUMBER() OVER (PARTITION BY histogram.class_id ORDER BY ranked_value.place ASC) AS held
            FROM compared_1 AS histogram
            JOIN ranked_value
              ON histogram.value_id = ranked_value.value_id
          ) AS held_value
          GROUP BY class_id, class_size, reference_rows
        )
        SELECT
          class_id,
          CAST(reference_count AS HUGEINT) AS prior_part,
          CAST(reference_rows AS HUGEINT) AS prior_whole,
          CAST(value_count AS HUGEINT) AS posterior_part,
          CAST(class_size AS HUGEINT) AS posterior_whole,
          FALSE AS contradicts
        FROM compared_1
        UNION ALL
        SELECT
          first_absent.class_id,
          ranked_value.reference_count,
          first_absent.reference_rows,
          0,
          first_absent.class_size,
          FALSE
        FROM first_absent
        JOIN ranked_value
          ON first_absent.place = ranked_value.place
      ) AS class_belief
      GROUP BY class_id
    ) AS verdict_6
      ON class.class_id = verdict_6.class_id
    LEFT JOIN (
      WITH candidate AS (
        SELECT
          class_id,
          1 AS superset,
          1 AS member
        FROM class
        WHERE class_id IN (SELECT class_id FROM histogram_1)
        UNION ALL
        SELECT
          class_id,
          2 AS superset,
          DENSE_RANK() OVER (ORDER BY key_1 ASC NULLS FIRST) AS member
        FROM class
        WHERE class_id IN (SELECT class_id FROM histogram_1)
      ),
      superset_value AS MATERIALIZED (
        SELECT
          candidate.superset,
          candidate.member,
          histogram.value_id,
          CAST(SUM(histogram.value_count) AS BIGINT) AS reference_count
        FROM histogram_1 AS histogram
        JOIN candidate
          ON histogram.class_id = candidate.class_id
        GROUP BY candidate.superset, candidate.member, histogram.value_id
      ),
      pair AS MATERIALIZED (
        SELECT
          ROW_NUMBER() OVER () AS pair_id,
          candidate.*,
          histogram.class_size,
          large.reference_rows,
          large.reference_values
        FROM candidate
        JOIN (SELECT DISTINCT class_id, class_size FROM histogram_1) AS histogram
          ON candidate.class_id = histogram.class_id
        JOIN (
          SELECT superset, member, CAST(SUM(reference_count) AS BIGINT) AS reference_rows, COUNT(*) AS reference_values
          FROM superset_value
          GROUP BY superset, member
          HAVING SUM(reference_count) >= 5
        ) AS large
          ON candidate.superset = large.superset
          AND candidate.member = large.member
      ),
      around AS MATERIALIZED (
        SELECT
          pair.pair_id AS class_id,
          pair.class_size,
          superset_value.value_id,
          COALESCE(histogram.value_count, 0) AS value_count,
          superset_value.reference_count,
          pair.reference_rows,
          pair.reference_values,
          0 AS reference_drift,
          0 AS vanishing_values
        FROM pair
        JOIN superset_value
          ON pair.superset = superset_value.superset
          AND pair.member = superset_value.member
        LEFT JOIN histogram_1 AS histogram
          ON pair.class_id = histogram.class_id
          AND superset_value.value_id = histogram.value_id
      ),
      around_held AS (
        SELECT *
        FROM around
        WHERE value_count > 0
      )
      SELECT
        class.class_id,
        COALESCE(BOOL_AND(verdict.fails), TRUE) AS fails,
        COALESCE(MIN(verdict.figure), CAST('infinity' AS DOUBLE)) AS figure,
        0 AS repair
      FROM (SELECT DISTINCT class_id FROM histogram_1) AS class
      LEFT JOIN pair
        ON class.class_id = pair.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 1 > unit * 1 AS fails,
          work / unit AS figure,
          CAST(0 AS DOUBLE) AS repair
        FROM (
          SELECT
            class_id,
            class_size,
            work,
            unit,
            reference_drift / reference_rows + vanishing_values / GREATEST(reference_values - 1, 1) AS drift
          FROM (
            WITH position AS MATERIALIZED (
              SELECT
                id_0 AS value_id,
                ROW_NUMBER() OVER (ORDER BY position ASC) AS place
              FROM value_1
              WHERE id_0 IN (SELECT value_id FROM histogram_1)
            )
            SELECT
              class_id,
              class_size,
              reference_rows,
              reference_values,
              reference_drift,
              vanishing_values,
              COALESCE(SUM(places * ABS(CAST(reference_rows AS HUGEINT) * class_cumulative - CAST(class_size AS HUGEINT) * reference_cumulative)), 0) AS work,
              GREATEST(CAST((SELECT COUNT(*) - 1 FROM position) AS HUGEINT) * class_size * reference_rows, 1) AS unit
            FROM (
              SELECT
                dense.*,
                CAST(LEAD(position.place) OVER class_order - position.place AS HUGEINT) AS places,
                CAST(SUM(dense.value_count) OVER class_order AS BIGINT) AS class_cumulative,
                CAST(SUM(dense.reference_count) OVER class_order AS BIGINT) AS reference_cumulative
              FROM around AS dense
              JOIN position
                ON dense.value_id = position.value_id
              WINDOW class_order AS (PARTITION BY dense.class_id ORDER BY position.place ASC)
            ) AS cumulative
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict
        ON pair.pair_id = verdict.class_id
      GROUP BY class.class_id
    ) AS verdict_7
      ON class.class_id = verdict_7.class_id
    LEFT JOIN (
      WITH candidate AS (
        SELECT
          class_id,
          1 AS superset,
          1 AS member
        FROM class
        WHERE class_id IN (SELECT class_id FROM histogram_1)
      ),
      superset_value AS MATERIALIZED (
        SELECT
          candidate.superset,
          candidate.member,
          histogram.value_id,
          CAST(SUM(histogram.value_count) AS BIGINT) AS reference_count
        FROM histogram_1 AS histogram
        JOIN candidate
          ON histogram.class_id = candidate.class_id
        GROUP BY candidate.superset, candidate.member, histogram.value_id
      ),
      pair AS MATERIALIZED (
        SELECT
          ROW_NUMBER() OVER () AS pair_id,
          candidate.*,
          histogram.class_size,
          large.reference_rows,
          large.reference_values
        FROM candidate
        JOIN (SELECT DISTINCT class_id, class_size FROM histogram_1) AS histogram
          ON candidate.class_id = histogram.class_id
        JOIN (
          SELECT superset, member, CAST(SUM(reference_count) AS BIGINT) AS reference_rows, COUNT(*) AS reference_values
          FROM superset_value
          GROUP BY superset, member
          HAVING SUM(reference_count) >= 5
        ) AS large
          ON candidate.superset = large.superset
          AND candidate.member = large.member
      ),
      around AS MATERIALIZED (
        SELECT
          pair.pair_id AS class_id,
          pair.class_size,
          superset_value.value_id,
          COALESCE(histogram.value_count, 0) AS value_count,
          superset_value.reference_count,
          pair.reference_rows,
          pair.reference_values,
          0 AS reference_drift,
          0 AS vanishing_values
        FROM pair
        JOIN superset_value
          ON pair.superset = superset_value.superset
          AND pair.member = superset_value.member
        LEFT JOIN histogram_1 AS histogram
          ON pair.class_id = histogram.class_id
          AND superset_value.value_id = histogram.value_id
      ),
      around_held AS (
        SELECT *
        FROM around
        WHERE value_count > 0
      )
      SELECT
        class.class_id,
        COALESCE(BOOL_AND(verdict.fails), TRUE) AS fails,
        COALESCE(MIN(verdict.figure), CAST('infinity' AS DOUBLE)) AS figure,
        0 AS repair
      FROM (SELECT DISTINCT class_id FROM histogram_1) AS class
      LEFT JOIN pair
        ON class.class_id = pair.class_id
      LEFT JOIN (
        SELECT
          class_id,
          work * 1 > unit * 1 AS fails,
          work / unit AS figure,
          CAST(0 AS DOUBLE) AS repair
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
              SUM(ABS(CAST(reference_rows AS HUGEINT) * cut_count - CAST(class_size AS HUGEINT) * reference_count)) AS work,
              CAST(4 AS HUGEINT) * class_size * reference_rows AS unit
            FROM (
              SELECT
                dense.class_id,
                dense.class_size,
                dense.reference_rows,
                dense.reference_values,
                dense.reference_drift,
                dense.vanishing_values,
                CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
                CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
              FROM around AS dense
              JOIN value_1 AS value
                ON dense.value_id = value.id_0
              GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_0
              UNION ALL
              SELECT
                dense.class_id,
                dense.class_size,
                dense.reference_rows,
                dense.reference_values,
                dense.reference_drift,
                dense.vanishing_values,
                CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
                CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
              FROM around AS dense
              JOIN value_1 AS value
                ON dense.value_id = value.id_0
              GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_1
            ) AS cut
            GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
          ) AS class_work
        ) AS class_distance
      ) AS verdict
        ON pair.pair_id = verdict.class_id
      GROUP BY class.class_id
    ) AS verdict_8
      ON class.class_id = verdict_8.class_id
  ) AS judged
) AS verdict
