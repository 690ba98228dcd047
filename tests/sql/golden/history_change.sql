CREATE TEMPORARY TABLE temp.main."sqlgen_joint_change" AS
WITH version AS (
  SELECT DISTINCT ON (version_id) version_id, class_size, is_masked, is_partly_masked, content
  FROM temp.main."sqlgen_joint_version"
),
compared AS (
  SELECT
    pair.earlier_version,
    pair.later_version,
    before.is_masked OR after.is_masked AS is_masked,
    before.is_partly_masked OR after.is_partly_masked AS is_partly_masked,
    after.class_size - before.class_size AS grown
  FROM (SELECT DISTINCT earlier_version, later_version FROM temp.main."sqlgen_joint_changed") AS pair
  JOIN version AS before
    ON pair.earlier_version = before.version_id
  JOIN version AS after
    ON pair.later_version = after.version_id
),
cell AS (
  SELECT version_id, content.s1 AS s1, content.row_count AS row_count
  FROM (SELECT version_id, UNNEST(content) AS content FROM version) AS shown
),
counted AS (
  SELECT compared.earlier_version, compared.later_version, cell.s1, cell.row_count
  FROM compared
  JOIN cell
    ON compared.later_version = cell.version_id
  WHERE NOT compared.is_masked
  UNION ALL
  SELECT compared.earlier_version, compared.later_version, cell.s1, -cell.row_count AS row_count
  FROM compared
  JOIN cell
    ON compared.earlier_version = cell.version_id
  WHERE NOT compared.is_masked
),
change AS (
  SELECT earlier_version, later_version, s1, SUM(row_count) AS change
  FROM counted
  GROUP BY ALL
  HAVING SUM(row_count) <> 0
),
class AS (
  SELECT
    earlier_version,
    later_version,
    COUNT(DISTINCT s1) FILTER (WHERE change > 0) AS came_s1,
    COUNT(DISTINCT s1) FILTER (WHERE change < 0) AS went_s1,
    COALESCE(SUM(change) FILTER (WHERE change > 0), 0) AS came,
    COALESCE(-SUM(change) FILTER (WHERE change < 0), 0) AS went
  FROM change
  GROUP BY earlier_version, later_version
)
SELECT
  compared.*,
  class.came_s1,
  class.went_s1,
  CASE WHEN compared.is_masked THEN GREATEST(compared.grown, 0) ELSE COALESCE(class.came, 0) END AS came,
  CASE WHEN compared.is_masked THEN GREATEST(-compared.grown, 0) ELSE COALESCE(class.went, 0) END AS went
FROM compared
LEFT JOIN class
  ON compared.earlier_version = class.earlier_version AND compared.later_version = class.later_version
