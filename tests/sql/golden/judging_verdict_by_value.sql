verdict_1.figure AS figure_1,
CASE WHEN verdict_1.class_id IS NULL THEN TRUE ELSE COALESCE(verdict_1.fails, TRUE) OR NOT COALESCE(verdict_1.figure >= CAST(-0.000000001 AS DOUBLE) AND verdict_1.figure <= 1.7976931348623157e308, FALSE) END AS fails_1,
CASE
  WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
  ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
END AS repair_1
