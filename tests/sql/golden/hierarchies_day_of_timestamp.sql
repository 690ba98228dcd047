CAST(value AS DATE)
