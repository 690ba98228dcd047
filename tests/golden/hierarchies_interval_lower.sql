TRY_CAST(value AS DECIMAL(38, 0)) - ((TRY_CAST(value AS DECIMAL(38, 0)) - (0)) % 5 + 5) % 5
