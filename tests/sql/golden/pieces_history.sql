-- history/region_release
(
  SELECT released.*, class.number AS "region"
  FROM "memory"."main"."local" AS released
  LEFT JOIN (SELECT labels, MIN(number) AS number FROM (SELECT * FROM "memory"."main"."sqlgen_releases_regions" WHERE fingerprint = 'sha256:885fa4178cfa3c79610cdf22e5b50c463846307da3e5cb3c636222646d77a665') AS kept WHERE is_shown GROUP BY labels) AS class
    ON [CAST(CAST("released"."zip" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C, CAST(CAST("released"."age" AS VARCHAR) COLLATE C AS VARCHAR) COLLATE C] = class.labels
)

-- history/spellings
WITH edge AS (
  SELECT
    called,
    UNNEST(REGEXP_EXTRACT_ALL(called, '-?[0-9]+(?:\.[0-9]+)?')) AS number,
    UNNEST(REGEXP_EXTRACT_ALL(called, '[0-9]{4}-[0-9]{2}-[0-9]{2}')) AS day
  FROM temp.main."sqlgen_joint_label_q1"
),
unit AS (
  SELECT DISTINCT UNNEST([
    called,
    SUBSTRING(called, 1, 4) || CASE SUBSTRING(called, 5) WHEN '-Q1' THEN '-03' WHEN '-Q2' THEN '-06' WHEN '-Q3' THEN '-09' ELSE '-12' END,
    SUBSTRING(called, 1, 4) || CASE SUBSTRING(called, 5) WHEN '-Q2' THEN '-04' WHEN '-Q3' THEN '-07' WHEN '-Q4' THEN '-10' ELSE '-01' END,
    SUBSTRING(called, 1, 3) || '9-12'
  ]) || '-01' AS first
  FROM temp.main."sqlgen_joint_label_q1"
)
SELECT called AS spelled
FROM temp.main."sqlgen_joint_label_q1"
UNION
SELECT REPLACE(called, '*', '0')
FROM temp.main."sqlgen_joint_label_q1"
UNION
SELECT UNNEST([number, CAST(TRY_CAST(number AS DECIMAL(38, 12)) - 1 AS VARCHAR), CAST(TRY_CAST(number AS DECIMAL(38, 12)) - 0.01 AS VARCHAR), CAST(TRY_CAST(number AS DECIMAL(38, 12)) - 0.000001 AS VARCHAR), CAST(TRY_CAST(number AS DECIMAL(38, 12)) - 0.000000001 AS VARCHAR)])
FROM edge
UNION
SELECT UNNEST([day, CAST(TRY_CAST(day AS DATE) - 1 AS VARCHAR)])
FROM edge
UNION
SELECT UNNEST([first, CAST(LAST_DAY(TRY_CAST(first AS DATE)) AS VARCHAR)])
FROM unit
UNION
SELECT UNNEST(['127', '32767', '2147483647', '9223372036854775807', '9999-12-31', '-127', '-32767', '-2147483647', '-9223372036854775807', '0', '0001-01-01'])
