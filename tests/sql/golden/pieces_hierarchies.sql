-- hierarchies/age_band
CASE WHEN value <= DATE '2026-03-01' AND YEAR(value) BETWEEN 1 AND 9999 THEN
        '[' || CAST((YEAR(DATE '2026-03-01') - YEAR(value) - CASE WHEN MONTH(DATE '2026-03-01') * 100 + DAY(DATE '2026-03-01') < MONTH(value) * 100 + DAY(value) THEN 1 ELSE 0 END) - (YEAR(DATE '2026-03-01') - YEAR(value) - CASE WHEN MONTH(DATE '2026-03-01') * 100 + DAY(DATE '2026-03-01') < MONTH(value) * 100 + DAY(value) THEN 1 ELSE 0 END) % 5 AS VARCHAR)
        || ', ' || CAST((YEAR(DATE '2026-03-01') - YEAR(value) - CASE WHEN MONTH(DATE '2026-03-01') * 100 + DAY(DATE '2026-03-01') < MONTH(value) * 100 + DAY(value) THEN 1 ELSE 0 END) - (YEAR(DATE '2026-03-01') - YEAR(value) - CASE WHEN MONTH(DATE '2026-03-01') * 100 + DAY(DATE '2026-03-01') < MONTH(value) * 100 + DAY(value) THEN 1 ELSE 0 END) % 5 + 5 AS VARCHAR)
        || ')'
      END

-- hierarchies/cuts
CASE
        WHEN value IS NULL THEN NULL
        WHEN value < 22 THEN '< 22'

        WHEN value < 24 THEN '[22, 24)'
        ELSE '>= 24'
      END

-- hierarchies/interval
'[' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 5 + 5) % 5 AS DECIMAL(38, 0)) AS VARCHAR)
        || ', ' || CAST(CAST(CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - ((CAST(TRY_CAST(value AS DECIMAL(37, 0)) AS DECIMAL(38, 0)) - (0)) % 5 + 5) % 5 + 5 AS DECIMAL(38, 0)) AS VARCHAR)
        || ')'

-- hierarchies/labelled
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

-- hierarchies/labelled_by_lines
SELECT
      COALESCE(value_count.value, leaf.value) AS value,
      COALESCE(value_count.row_count, 0) AS row_count,
      leaf.value IS NOT NULL AS is_listed,
      leaf.label_1
    FROM (
      SELECT CAST("source"."zip" AS VARCHAR) COLLATE C AS value, COUNT(*) AS row_count
      FROM "memory"."main"."patients" AS source
      GROUP BY CAST("source"."zip" AS VARCHAR) COLLATE C
    ) AS value_count
    FULL JOIN (
      SELECT DISTINCT
        TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
        NULLIF(CAST(field_1 AS VARCHAR) COLLATE C, '') AS label_1
      FROM "memory"."main"."zips" AS line (field_0, field_1)
      WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL
    ) AS leaf
      ON value_count.value = leaf.value

-- hierarchies/labelled_by_rule
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

-- hierarchies/ladder_rows
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
  CAST(DENSE_RANK() OVER (ORDER BY final_1 ASC NULLS FIRST) - 1 AS UINTEGER) AS id_1
FROM leaf

-- hierarchies/leaves
SELECT DISTINCT
        TRY_CAST(field_0 AS VARCHAR) COLLATE C AS value,
        NULLIF(CAST(field_1 AS VARCHAR) COLLATE C, '') AS label_1
      FROM "memory"."main"."zips" AS line (field_0, field_1)
      WHERE TRY_CAST(field_0 AS VARCHAR) COLLATE C IS NOT NULL

-- hierarchies/level_label
(CASE
      WHEN value IS NULL THEN NULL
      WHEN missing_level IS NOT NULL THEN NULL
      ELSE label_1
    END) COLLATE C

-- hierarchies/lines
SELECT
  0 AS list,
  FALSE AS is_mistyped,
  [UNPACK(CAST(COLUMNS(*) AS VARCHAR) COLLATE C)] AS fields
FROM "memory"."main"."zips" AS line (field_0)

-- hierarchies/order
CASE WHEN value IS NOT NULL THEN LIST_POSITION([TRY_CAST('flu' AS VARCHAR), TRY_CAST('ulcer' AS VARCHAR)], value) END

-- hierarchies/prefix
CASE
        WHEN LENGTH(CAST(value AS VARCHAR)) > 3
          THEN SUBSTRING(CAST(value AS VARCHAR), 1, 3)
            || REPEAT('*', LENGTH(CAST(value AS VARCHAR)) - 3)
        ELSE CAST(value AS VARCHAR)
      END

-- hierarchies/upper_lines
(
  SELECT DISTINCT
    (CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_1
        END) COLLATE C AS field_1,
    (CASE
          WHEN value IS NULL THEN NULL
          WHEN missing_level IS NOT NULL THEN NULL
          ELSE label_2
        END) COLLATE C AS field_2
  FROM (
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
          FROM (SELECT CAST(NULL AS VARCHAR) AS "disease" WHERE FALSE) AS source
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
  ) AS labelled
  WHERE (CASE
      WHEN value IS NULL THEN NULL
      WHEN missing_level IS NOT NULL THEN NULL
      ELSE label_1
    END) COLLATE C IS NOT NULL
)
