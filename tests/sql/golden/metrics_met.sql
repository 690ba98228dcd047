COALESCE(CAST(("value" > '4') AS TEXT) = 'true', FALSE)
