SELECT
  CASE
    WHEN uncovered_values > 0 OR repeated_values > 0
      THEN system.main.error('values outside a hierarchy, twice in it, or without a place in an order; nothing was changed')
    WHEN release_rows > source_rows
      THEN system.main.error('the release holds rows that the source does not; nothing was changed')
    WHEN uncounted_rows > 0
      THEN system.main.error('the persons behind the release could not be counted; nothing was changed')
    WHEN (source_rows - release_rows + withheld_rows - empty_rows) * 20 > 1 * source_rows
      THEN system.main.error('more rows are suppressed than the policy allows; nothing was changed')
    WHEN class_count = 0 OR failing_classes_1 > 0
      THEN system.main.error('the release does not give what the policy asks for; nothing was changed')
  END AS gate
FROM temp.main."sqlgen_audit"
