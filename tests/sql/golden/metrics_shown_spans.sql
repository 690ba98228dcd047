SELECT
  number,
  COUNT(*) AS span_labels,
  COUNT(*) FILTER (WHERE source_rows < shown_rows) AS overfull_labels
FROM temp.main."sqlgen_shown_span_label"
GROUP BY number
