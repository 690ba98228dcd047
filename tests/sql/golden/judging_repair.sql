CASE
  WHEN NOT COALESCE(verdict_1.fails, TRUE) THEN 0
  ELSE GREATEST(1, CEIL(COALESCE(verdict_1.repair, 0) - 1e-6 - 1e-12 * class_size))
END
