(value - CAST(((value - DATE '1970-01-01') % 7 + 7) % 7 AS INTEGER))
