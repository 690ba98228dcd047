CASE
        WHEN value IS NULL THEN NULL
        WHEN value < 22 THEN '< 22'

        WHEN value < 24 THEN '[22, 24)'
        ELSE '>= 24'
      END
