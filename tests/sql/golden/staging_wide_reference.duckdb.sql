SELECT
  COALESCE(LIST(value_id ORDER BY value_id ASC), []) AS value_ids,
  COALESCE(LIST(reference_count ORDER BY value_id ASC), []) AS reference_counts
FROM temp.main."sqlgen_reference_1"
