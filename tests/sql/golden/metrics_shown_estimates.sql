SELECT
  0 AS query,
  COALESCE(SUM(share ORDER BY share ASC), 0) AS row_count
FROM (
  SELECT cell.row_count * part_1.share * part_2.share * CAST(1 AS DOUBLE) AS share
  FROM temp.main."sqlgen_shown_cell" AS cell
  JOIN (
    SELECT value
    FROM (SELECT DISTINCT CAST("audited"."disease" AS VARCHAR) COLLATE C AS value FROM "memory"."main"."spare" AS audited) AS shown_value
    WHERE COALESCE(CAST(("value" = 'flu') AS TEXT) = 'true', FALSE)
  ) AS met_1
    ON cell.s1 IS NOT DISTINCT FROM met_1.value
  JOIN (
    SELECT
      name.label,
      CAST(COUNT(*) FILTER (WHERE COALESCE(CAST(("value" > '4') AS TEXT) = 'true', FALSE)) AS DOUBLE) / COUNT(*) AS share
    FROM (
      SELECT value, row_count, 0 AS level, name_0 AS label
      FROM temp.main."sqlgen_shown_leaf_1"
      WHERE is_kept
      UNION ALL
      SELECT value, row_count, 1 AS level, name_1 AS label
      FROM temp.main."sqlgen_shown_leaf_1"
      WHERE is_kept
      UNION ALL
      SELECT value, row_count, 2 AS level, name_2 AS label
      FROM temp.main."sqlgen_shown_leaf_1"
      WHERE is_kept
    ) AS leaf
    JOIN (SELECT label, level, leaves, log_leaves, log_rows FROM temp.main."sqlgen_shown_label_1" WHERE level = 0) AS name
      ON leaf.level = name.level
      AND leaf.label IS NOT DISTINCT FROM name.label
    GROUP BY name.label
  ) AS part_1
    ON CAST(cell.q1 AS VARCHAR) COLLATE C IS NOT DISTINCT FROM part_1.label
  JOIN (
    SELECT
      name.label,
      CAST(COUNT(*) FILTER (WHERE COALESCE(CAST(("value" < 25) AS TEXT) = 'true', FALSE)) AS DOUBLE) / COUNT(*) AS share
    FROM (
      SELECT value, row_count, 0 AS level, name_0 AS label
      FROM temp.main."sqlgen_shown_leaf_2"
      WHERE is_kept
      UNION ALL
      SELECT value, row_count, 1 AS level, name_1 AS label
      FROM temp.main."sqlgen_shown_leaf_2"
      WHERE is_kept
      UNION ALL
      SELECT value, row_count, 2 AS level, name_2 AS label
      FROM temp.main."sqlgen_shown_leaf_2"
      WHERE is_kept
    ) AS leaf
    JOIN (SELECT label, level, leaves, log_leaves, log_rows FROM temp.main."sqlgen_shown_label_2" WHERE level = 1) AS name
      ON leaf.level = name.level
      AND leaf.label IS NOT DISTINCT FROM name.label
    GROUP BY name.label
  ) AS part_2
    ON CAST(cell.q2 AS VARCHAR) COLLATE C IS NOT DISTINCT FROM part_2.label
) AS counted
