SELECT
  (SELECT COUNT(*) FROM temp.main."sqlgen_shown_leaf_1" WHERE missing_level IS NOT NULL) AS unlabelled_values,
  0 AS repeated_values,
  COUNT(*) FILTER (WHERE level IS NULL) AS unknown_labels,
  (SELECT COUNT(*) FROM (SELECT label FROM temp.main."sqlgen_shown_label_1" WHERE shown_rows > 0 GROUP BY label HAVING MAX(source_rows) < MAX(shown_rows)) AS overfull) AS overfull_labels,
  (SELECT COUNT(*) FROM (SELECT label FROM temp.main."sqlgen_shown_label_1" WHERE shown_rows > 0 GROUP BY label) AS shown) AS shown_labels,
  CAST(COALESCE(SUM(leaves) FILTER (WHERE level = 2), 0) AS BIGINT) AS leaves,
  COALESCE(MAX(log_leaves) FILTER (WHERE level = 2), 0) AS log_leaves,
  COALESCE(MAX(log_rows) FILTER (WHERE level = 2), 0) AS log_rows,
  COUNT(*) FILTER (WHERE level = 0 AND shown_rows > 0 AND shown_rows <= source_rows) AS fitting_0,
  COUNT(*) FILTER (WHERE level = 1 AND shown_rows > 0 AND shown_rows <= source_rows) AS fitting_1,
  COUNT(*) FILTER (WHERE level = 2 AND shown_rows > 0 AND shown_rows <= source_rows) AS fitting_2
FROM temp.main."sqlgen_shown_label_1"
