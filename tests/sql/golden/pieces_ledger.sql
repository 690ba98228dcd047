-- ledger/figure
CASE
  WHEN measured_1 IS NULL THEN 'null'
  WHEN measured_1 = CAST('infinity' AS DOUBLE) THEN '"infinite"'
  ELSE CAST(CAST(measured_1 AS DOUBLE) AS VARCHAR)
END
