SELECT
  CASE
    WHEN NOT COALESCE(uncovered_values = 0 AND repeated_values = 0, FALSE)
      THEN system.main.error('values outside a hierarchy, twice in it, or without a place in an order; nothing was changed')
    WHEN NOT COALESCE(release_rows <= source_rows, FALSE)
      THEN system.main.error('the release holds rows that the source does not; nothing was changed')
    WHEN NOT COALESCE(uncounted_rows = 0, FALSE)
      THEN system.main.error('the persons behind the release could not be counted; nothing was changed')
    WHEN NOT COALESCE(empty_rows >= 0 AND empty_rows <= masked_rows AND (source_rows - release_rows + masked_rows - empty_rows) * 20 <= 1 * source_rows, FALSE)
      THEN system.main.error('more rows are suppressed than the policy allows; nothing was changed')
    WHEN NOT COALESCE(class_count > 0 AND failing_classes_1 = 0 AND failing_rows_1 = 0, FALSE)
      THEN system.main.error('the release does not give what the policy asks for; nothing was changed')
    WHEN NOT COALESCE(measured_1 BETWEEN CAST(2.999999699 AS DOUBLE) AND CAST('1.7976931348623157e+308' AS DOUBLE), FALSE)
      THEN system.main.error('what was measured of the release is not what the policy asks for; nothing was changed')
  END AS gate
FROM temp.main."sqlgen_audit"
