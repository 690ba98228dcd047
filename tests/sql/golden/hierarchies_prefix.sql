CASE
        WHEN LENGTH(CAST(value AS VARCHAR)) > 3
          THEN SUBSTRING(CAST(value AS VARCHAR), 1, 3)
            || REPEAT('*', LENGTH(CAST(value AS VARCHAR)) - 3)
        ELSE CAST(value AS VARCHAR)
      END
