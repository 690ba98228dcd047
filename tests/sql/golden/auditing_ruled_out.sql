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
        WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
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
    BOOL_AND(COALESCE(v1 = (SELECT MIN(id_0) FROM value_1 WHERE value IS NULL), FALSE)) AS is_masked,
    ROW_NUMBER() OVER () AS class_id,
    CAST(SUM(row_count) AS BIGINT) AS class_size
  FROM counted
  GROUP BY key_1, key_2
),
class_0 AS (
  SELECT class_id, class_size, is_masked, is_masked AS was_empty
  FROM class
  WHERE NOT (FALSE)
),
class_cell_0 AS MATERIALIZED (
  SELECT
    class.class_id,
    class.class_size,
    class.is_masked,
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
  WHERE NOT is_masked
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
        SELECT DISTINCT named.value, shown.id
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
        ) AS named
        JOIN (SELECT DISTINCT CAST(key_1 AS VARCHAR) COLLATE C AS called, CAST(key_1 AS VARCHAR) COLLATE C AS id FROM class) AS shown
          ON named.label IS NOT DISTINCT FROM shown.called
      ) AS name_1
        ON person.q1 IS NOT DISTINCT FROM name_1.value
      JOIN (
        SELECT DISTINCT named.value, shown.id
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
          SELECT value, 1 AS level, CAST((CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_1
              END) COLLATE C AS VARCHAR) COLLATE C AS label
          FROM kept
          WHERE is_kept AND row_count > 0 AND missing_level IS NULL
        ) AS named
        JOIN (SELECT DISTINCT CAST(key_2 AS VARCHAR) COLLATE C AS called, CAST(key_2 AS VARCHAR) COLLATE C AS id FROM class) AS shown
          ON named.label IS NOT DISTINCT FROM shown.called
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
        SELECT DISTINCT named.value, shown.id
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
        ) AS named
        JOIN (SELECT DISTINCT CAST(key_1 AS VARCHAR) COLLATE C AS called, CAST(key_1 AS VARCHAR) COLLATE C AS id FROM class) AS shown
          ON named.label IS NOT DISTINCT FROM shown.called
      ) AS name_1
        ON person.q1 IS NOT DISTINCT FROM name_1.value
      JOIN (
        SELECT DISTINCT named.value, shown.id
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
          SELECT value, 1 AS level, CAST((CASE
                WHEN value IS NULL THEN NULL
                WHEN missing_level IS NOT NULL THEN NULL
                ELSE label_1
              END) COLLATE C AS VARCHAR) COLLATE C AS label
          FROM kept
          WHERE is_kept AND row_count > 0 AND missing_level IS NULL
        ) AS named
        JOIN (SELECT DISTINCT CAST(key_2 AS VARCHAR) COLLATE C AS called, CAST(key_2 AS VARCHAR) COLLATE C AS id FROM class) AS shown
          ON named.label IS NOT DISTINCT FROM shown.called
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
  (
    SELECT COUNT(DISTINCT person_id)
    FROM (
      SELECT people.class_id, people.person_id
      FROM people_2 AS people
      LEFT JOIN shown_cell_0 AS cell
        ON people.class_id = cell.class_id
        AND people.value_id = cell.v1
      WHERE people.class_id IN (SELECT class_id FROM shown_cell_0)
      GROUP BY people.class_id, people.person_id
      HAVING COUNT(cell.class_id) = 0
    ) AS ruled_out_person
  ) AS persons_1
