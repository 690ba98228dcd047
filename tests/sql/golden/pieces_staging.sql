-- staging/coarsened
(
  SELECT
    source."name" AS "name",
    source."zip" AS "zip",
    source."age" AS "age",
    coarse_1.label AS "disease",
    source."visits" AS "visits",
    source."seen" AS "seen",
    source."called" AS "called",
    source."written" AS "written",
    source."weight" AS "weight",
    source."tags" AS "tags"
  FROM "memory"."main"."patients" AS source
  LEFT JOIN (
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
    )
    SELECT value, CAST((CASE
        WHEN value IS NULL THEN NULL
        WHEN missing_level IS NOT NULL THEN NULL
        ELSE label_1
      END) COLLATE C AS VARCHAR) AS label
    FROM labelled
    WHERE row_count > 0
  ) AS coarse_1
    ON CAST("source"."disease" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM coarse_1.value
)

-- staging/id
CAST((word_1 >> 0) & 3 AS UTINYINT)

-- staging/people_behind
(
  WITH source_row AS MATERIALIZED (
    SELECT
      name_1.label AS q1,
      name_2.label AS q2,
      CAST("source"."name" AS VARCHAR) COLLATE C AS kept_1,
      CAST("source"."disease" AS VARCHAR) COLLATE C AS kept_2
    FROM "memory"."main"."patients" AS source
    JOIN (
      SELECT DISTINCT name.value, name.label
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
              FROM "memory"."main"."patients" AS source
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
      ) AS name
    ) AS name_1
      ON CAST("source"."zip" AS VARCHAR) COLLATE C IS NOT DISTINCT FROM name_1.value
    JOIN (
      SELECT DISTINCT name.value, name.label
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
              FROM "memory"."main"."patients" AS source
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
      ) AS name
    ) AS name_2
      ON "source"."age" IS NOT DISTINCT FROM name_2.value
  ),
  released_class AS MATERIALIZED (
    SELECT *, ROW_NUMBER() OVER () AS class_id
    FROM (
      SELECT DISTINCT
        CAST(CAST("released"."zip" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C AS q1,
        CAST(CAST("released"."age" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C AS q2
      FROM "memory"."main"."spare" AS released
    ) AS shown
  )
  SELECT
    released_class.class_id AS "class_id",
    released_class.q1 AS "zip",
    released_class.q2 AS "age",
    source_row.kept_1 AS "name",
    source_row.kept_2 AS "disease"
  FROM source_row
  JOIN released_class
    ON source_row.q1 IS NOT DISTINCT FROM released_class.q1 AND source_row.q2 IS NOT DISTINCT FROM released_class.q2
)

-- staging/people_behind_several
(
  WITH source_row AS MATERIALIZED (
    SELECT
      CAST("source"."zip" AS VARCHAR) COLLATE C AS value_1,
      "source"."age" AS value_2,
      CAST("source"."name" AS VARCHAR) COLLATE C AS kept_1,
      CAST("source"."disease" AS VARCHAR) COLLATE C AS kept_2
    FROM "memory"."main"."patients" AS source
  ),
  value_row AS MATERIALIZED (
    SELECT *, ROW_NUMBER() OVER () AS row_id
    FROM (SELECT DISTINCT value_1, value_2 FROM source_row) AS combination
  ),
  released_class AS MATERIALIZED (
    SELECT *, ROW_NUMBER() OVER () AS class_id
    FROM (
      SELECT DISTINCT
        CAST(CAST("released"."zip" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C AS key_1,
        CAST(CAST("released"."age" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C AS key_2
      FROM "memory"."main"."spanned" AS released
    ) AS shown
  ),
  class_prefix AS MATERIALIZED (
    SELECT
      key_1, key_2,
      DENSE_RANK() OVER (ORDER BY key_1 ASC NULLS FIRST) AS prefix_1,
      class_id
    FROM released_class
  ),
  fit_1 AS MATERIALIZED (
    SELECT DISTINCT
      prefix.prefix_1,
      name.value
    FROM class_prefix AS prefix
    JOIN (
      SELECT value, label
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
              FROM (SELECT value_1 AS "zip" FROM value_row) AS source
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
      ) AS label_of_value
      UNION ALL
      SELECT value, label
      FROM temp.main."sqlgen_shown_span_value_1"
    ) AS name
      ON prefix.key_1 IS NOT DISTINCT FROM name.label
  ),
  step_1 AS MATERIALIZED (
    SELECT
      step.row_id,
      step.value_2,
      fit.prefix_1
    FROM value_row AS step
    JOIN fit_1 AS fit
      ON step.value_1 IS NOT DISTINCT FROM fit.value
  ),
  fit_2 AS MATERIALIZED (
    SELECT DISTINCT
      prefix.prefix_1,
      prefix.class_id,
      name.value
    FROM class_prefix AS prefix
    JOIN (
      SELECT value, label
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
              FROM (SELECT value_2 AS "age" FROM value_row) AS source
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
      ) AS label_of_value
      UNION ALL
      SELECT value, label
      FROM temp.main."sqlgen_shown_span_value_2"
    ) AS name
      ON prefix.key_2 IS NOT DISTINCT FROM name.label
  ),
  step_2 AS MATERIALIZED (
    SELECT
      step.row_id,
      fit.class_id
    FROM step_1 AS step
    JOIN fit_2 AS fit
      ON step.prefix_1 = fit.prefix_1 AND step.value_2 IS NOT DISTINCT FROM fit.value
  )
  SELECT
    released_class.class_id AS "class_id",
    released_class.key_1 AS "zip",
    released_class.key_2 AS "age",
    
    source_row.kept_1 AS "name",
    source_row.kept_2 AS "disease",
    value_row.row_id AS "row_id"
  FROM step_2 AS fitting
  JOIN released_class USING (class_id)
  JOIN value_row USING (row_id)
  JOIN source_row
    ON source_row.value_1 IS NOT DISTINCT FROM value_row.value_1 AND source_row.value_2 IS NOT DISTINCT FROM value_row.value_2
)

-- staging/people_labels
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
  SELECT CAST("zip" AS VARCHAR) AS "zip"
  FROM "memory"."main"."patients"
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
WHERE is_kept AND TRUE
UNION
SELECT value, 1 AS level, CAST((CASE
      WHEN value IS NULL THEN NULL
      WHEN missing_level IS NOT NULL THEN NULL
      ELSE label_1
    END) COLLATE C AS VARCHAR) COLLATE C AS label
FROM kept
WHERE is_kept AND missing_level IS NULL
UNION
SELECT value, 2 AS level, CAST('*' AS VARCHAR) COLLATE C AS label
FROM kept
WHERE is_kept AND TRUE

-- staging/people_matched
WITH named_person AS MATERIALIZED (
  SELECT
    person.person_id,
    person.person_count
  FROM person_1 AS person
)
SELECT *
FROM named_person

-- staging/people_matched_spans
WITH named_class AS MATERIALIZED (
  SELECT *, ROW_NUMBER() OVER () AS class_id
  FROM (
    SELECT DISTINCT CAST(key_1 AS VARCHAR) COLLATE C AS key_1, CAST(key_2 AS VARCHAR) COLLATE C AS key_2
    FROM class
  ) AS shown
),
person_row AS MATERIALIZED (
  SELECT *, ROW_NUMBER() OVER () AS row_id
  FROM person_1 AS person
),
value_row AS (
  SELECT row_id, q1 AS value_1, q2 AS value_2
  FROM person_row
),
class_prefix AS MATERIALIZED (
  SELECT
    key_1, key_2,
    DENSE_RANK() OVER (ORDER BY key_1 ASC NULLS FIRST) AS prefix_1,
    class_id
  FROM named_class
),
fit_1 AS MATERIALIZED (
  SELECT DISTINCT
    prefix.prefix_1,
    name.value
  FROM class_prefix AS prefix
  JOIN (
    SELECT value, label
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
    ) AS label_of_value
    UNION ALL
    SELECT value, label
    FROM temp.main."sqlgen_shown_span_value_1"
  ) AS name
    ON prefix.key_1 IS NOT DISTINCT FROM name.label
),
step_1 AS MATERIALIZED (
  SELECT
    step.row_id,
    step.value_2,
    fit.prefix_1
  FROM value_row AS step
  JOIN fit_1 AS fit
    ON step.value_1 IS NOT DISTINCT FROM fit.value
),
fit_2 AS MATERIALIZED (
  SELECT DISTINCT
    prefix.prefix_1,
    prefix.class_id,
    name.value
  FROM class_prefix AS prefix
  JOIN (
    SELECT value, label
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
    ) AS label_of_value
    UNION ALL
    SELECT value, label
    FROM temp.main."sqlgen_shown_span_value_2"
  ) AS name
    ON prefix.key_2 IS NOT DISTINCT FROM name.label
),
step_2 AS MATERIALIZED (
  SELECT
    step.row_id,
    fit.class_id
  FROM step_1 AS step
  JOIN fit_2 AS fit
    ON step.prefix_1 = fit.prefix_1 AND step.value_2 IS NOT DISTINCT FROM fit.value
)
SELECT
  named_class.key_1 AS key_1,
  named_class.key_2 AS key_2,
  person_row.person_id,
  person_row.person_count
FROM step_2 AS fitting
JOIN named_class USING (class_id)
JOIN person_row USING (row_id)

-- staging/people_person
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

-- staging/people_steps
class_prefix AS MATERIALIZED (
  SELECT
    key_1, key_2,
    DENSE_RANK() OVER (ORDER BY key_1 ASC NULLS FIRST) AS prefix_1,
    class_id
  FROM named_class
),
fit_1 AS MATERIALIZED (
  SELECT DISTINCT
    prefix.prefix_1,
    name.value
  FROM class_prefix AS prefix
  JOIN (
    SELECT value, label
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
    ) AS label_of_value
    UNION ALL
    SELECT value, label
    FROM temp.main."sqlgen_shown_span_value_1"
  ) AS name
    ON prefix.key_1 IS NOT DISTINCT FROM name.label
),
step_1 AS MATERIALIZED (
  SELECT
    step.row_id,
    step.value_2,
    fit.prefix_1
  FROM value_row AS step
  JOIN fit_1 AS fit
    ON step.value_1 IS NOT DISTINCT FROM fit.value
),
fit_2 AS MATERIALIZED (
  SELECT DISTINCT
    prefix.prefix_1,
    prefix.class_id,
    name.value
  FROM class_prefix AS prefix
  JOIN (
    SELECT value, label
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
    ) AS label_of_value
    UNION ALL
    SELECT value, label
    FROM temp.main."sqlgen_shown_span_value_2"
  ) AS name
    ON prefix.key_2 IS NOT DISTINCT FROM name.label
),
step_2 AS MATERIALIZED (
  SELECT
    step.row_id,
    fit.class_id
  FROM step_1 AS step
  JOIN fit_2 AS fit
    ON step.prefix_1 = fit.prefix_1 AND step.value_2 IS NOT DISTINCT FROM fit.value
)

-- staging/placed
(
  SELECT
    value,
    CAST(value AS VARCHAR) COLLATE C AS text,
    [CAST(value AS VARCHAR) COLLATE C, CAST((CASE
      WHEN value IS NULL THEN NULL
      WHEN missing_level IS NOT NULL THEN NULL
      ELSE label_1
    END) COLLATE C AS VARCHAR) COLLATE C, CAST('*' AS VARCHAR) COLLATE C] AS labels,
    CASE
      WHEN TRUE
        THEN ROW_NUMBER() OVER (PARTITION BY TRUE ORDER BY value IS NOT NULL ASC NULLS FIRST, (CASE
      WHEN value IS NULL THEN NULL
      WHEN missing_level IS NOT NULL THEN NULL
      ELSE label_1
    END) COLLATE C COLLATE C ASC NULLS FIRST, value COLLATE C ASC NULLS FIRST)
    END AS place
  FROM (
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
      SELECT CAST("zip" AS VARCHAR) AS "zip"
      FROM (
        SELECT
          "zip",
          CAST("age" AS INTEGER) AS "age",
          "disease",
          "weight"
        FROM "memory"."main"."town"
      )
      UNION ALL
      SELECT CAST("zip" AS VARCHAR) AS "zip"
      FROM "memory"."main"."patients"
    ) AS source
          GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
        ) AS value_count
      ) AS labels
  ) AS labelled
)

-- staging/segments
(
  SELECT label, UNNEST(first_places) AS first_place, UNNEST(last_places) AS last_place
  FROM (
    SELECT
      name.label,
      CASE WHEN name.is_range THEN [MIN(leaf.place)] ELSE LIST(leaf.place) END AS first_places,
      CASE WHEN name.is_range THEN [MAX(leaf.place)] ELSE LIST(leaf.place) END AS last_places
    FROM (
      SELECT
        *,
        LEFT(label, 1) = '[' AS is_range,
        LEN(names) AS name_count,
        UNNEST(names) COLLATE C AS name,
        UNNEST(RANGE(LEN(names))) AS position
      FROM (
        SELECT *, REGEXP_EXTRACT_ALL(label, '[\[{ ]("(?:[^"]|"")*"|[^",\[\]{}]+)[,\]}]', 1) AS names
        FROM (SELECT CAST(CAST("released"."zip" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C AS label FROM "memory"."main"."spanned" AS released EXCEPT SELECT UNNEST(labels) AS label FROM held_leaf) AS label
        WHERE REGEXP_FULL_MATCH(label, '\[(?:"(?:[^"]|"")*"|[^",\[\]{}]+), (?:"(?:[^"]|"")*"|[^",\[\]{}]+)\]|\{(?:"(?:[^"]|"")*"|[^",\[\]{}]+)(?:, (?:"(?:[^"]|"")*"|[^",\[\]{}]+))+\}')
      ) AS label
    ) AS name
    JOIN (
      SELECT *, (CASE
        WHEN text IS NULL THEN 'NULL'
        WHEN text IN ('', 'NULL') OR REGEXP_MATCHES(text, '[",\[\]{}]|^[\s\v\p{Z}]|[\s\v\p{Z}]$')
          THEN '"' || REPLACE(text, '"', '""') || '"'
        ELSE text
      END) COLLATE C AS name
      FROM held_leaf AS leaf
    ) AS leaf
      ON name.name = leaf.name
    GROUP BY name.label, name.is_range, name.name_count
    HAVING COUNT(DISTINCT leaf.place) = name.name_count
      AND (NOT name.is_range OR ARG_MIN(leaf.place, name.position) < ARG_MAX(leaf.place, name.position))
  ) AS label
)

-- staging/spanned
(
  SELECT
    segment.label,
    leaf.value,
    leaf.place
  FROM (
    SELECT label, UNNEST(first_places) AS first_place, UNNEST(last_places) AS last_place
    FROM (
      SELECT
        name.label,
        CASE WHEN name.is_range THEN [MIN(leaf.place)] ELSE LIST(leaf.place) END AS first_places,
        CASE WHEN name.is_range THEN [MAX(leaf.place)] ELSE LIST(leaf.place) END AS last_places
      FROM (
        SELECT
          *,
          LEFT(label, 1) = '[' AS is_range,
          LEN(names) AS name_count,
          UNNEST(names) COLLATE C AS name,
          UNNEST(RANGE(LEN(names))) AS position
        FROM (
          SELECT *, REGEXP_EXTRACT_ALL(label, '[\[{ ]("(?:[^"]|"")*"|[^",\[\]{}]+)[,\]}]', 1) AS names
          FROM (SELECT CAST(CAST("released"."zip" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C AS label FROM "memory"."main"."spanned" AS released EXCEPT SELECT UNNEST(labels) AS label FROM held_leaf) AS label
          WHERE REGEXP_FULL_MATCH(label, '\[(?:"(?:[^"]|"")*"|[^",\[\]{}]+), (?:"(?:[^"]|"")*"|[^",\[\]{}]+)\]|\{(?:"(?:[^"]|"")*"|[^",\[\]{}]+)(?:, (?:"(?:[^"]|"")*"|[^",\[\]{}]+))+\}')
        ) AS label
      ) AS name
      JOIN (
        SELECT *, (CASE
          WHEN text IS NULL THEN 'NULL'
          WHEN text IN ('', 'NULL') OR REGEXP_MATCHES(text, '[",\[\]{}]|^[\s\v\p{Z}]|[\s\v\p{Z}]$')
            THEN '"' || REPLACE(text, '"', '""') || '"'
          ELSE text
        END) COLLATE C AS name
        FROM held_leaf AS leaf
      ) AS leaf
        ON name.name = leaf.name
      GROUP BY name.label, name.is_range, name.name_count
      HAVING COUNT(DISTINCT leaf.place) = name.name_count
        AND (NOT name.is_range OR ARG_MIN(leaf.place, name.position) < ARG_MAX(leaf.place, name.position))
    ) AS label
  ) AS segment
  JOIN held_leaf AS leaf
    ON leaf.place BETWEEN segment.first_place AND segment.last_place
)

-- staging/spelled
(CASE
  WHEN text IS NULL THEN 'NULL'
  WHEN text IN ('', 'NULL') OR REGEXP_MATCHES(text, '[",\[\]{}]|^[\s\v\p{Z}]|[\s\v\p{Z}]$')
    THEN '"' || REPLACE(text, '"', '""') || '"'
  ELSE text
END) COLLATE C

-- staging/wide_reference.duckdb
SELECT
  COALESCE(LIST(value_id ORDER BY value_id ASC), []) AS value_ids,
  COALESCE(LIST(reference_count ORDER BY value_id ASC), []) AS reference_counts
FROM temp.main."sqlgen_reference_1"

-- staging/wide_values.duckdb
SELECT
  LIST(id_0 ORDER BY id_0 ASC) AS positions,
  LIST(id_0 ORDER BY id_0 ASC) AS cuts_0
FROM temp.main."sqlgen_ladder_3"

-- staging/window_within
"source"."written" > CAST('2024-02-26 12:00:00+00' AS TIMESTAMP WITH TIME ZONE) AND "source"."written" <= CAST('2024-02-27 12:00:00+00' AS TIMESTAMP WITH TIME ZONE)

-- staging/word
(CAST(id_0 AS BIGINT) << 0) | (CAST(id_1 AS BIGINT) << 2) AS word_1
