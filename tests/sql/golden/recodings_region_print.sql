SELECT
  'sha256:' || SHA256(COALESCE(STRING_AGG(line, '
' ORDER BY number ASC, line ASC), '')) AS fingerprint,
  COUNT(*) AS region_count,
  COALESCE(BOOL_OR(shows_own), FALSE) AS shows_own,
  COALESCE(BOOL_OR(by_label_1), FALSE) AS by_label_1,
  COALESCE(BOOL_OR(by_label_2), FALSE) AS by_label_2
FROM (
  SELECT
    number,
    COALESCE(
      CAST(number AS VARCHAR) || ' ' || COALESCE(CAST(parent AS VARCHAR), '-')
      || CASE WHEN is_shown THEN ' shown ' ELSE ' inner ' END
      || CAST(LEN(levels) AS VARCHAR) || ' ' || CAST(LEN(labels) AS VARCHAR)
      || ' ' || CAST(levels[1] AS VARCHAR) || ' ' || CASE
  WHEN labels[1] IS NULL THEN '-'
  ELSE CAST(LENGTH(labels[1]) AS VARCHAR) || ' ' || labels[1]
END || COALESCE(' of ' || CAST(LENGTH(spans[1]) AS VARCHAR) || ' ' || spans[1], '')
      || ' ' || CAST(levels[2] AS VARCHAR) || ' ' || CASE
  WHEN labels[2] IS NULL THEN '-'
  ELSE CAST(LENGTH(labels[2]) AS VARCHAR) || ' ' || labels[2]
END || COALESCE(' of ' || CAST(LENGTH(spans[2]) AS VARCHAR) || ' ' || spans[2], ''),
      ''
    ) AS line,
    is_shown AND LIST_CONTAINS(levels, 1000) AS shows_own,
    COALESCE(LEFT(spans[1], 1) IN ('[', '{'), FALSE) AS by_label_1,
    COALESCE(LEFT(spans[2], 1) IN ('[', '{'), FALSE) AS by_label_2
  FROM temp.main."sqlgen_region_tree"
) AS spelled
