CASE
      WHEN value IS NULL THEN NULL
      WHEN label_1 IS NULL THEN 1
    END
