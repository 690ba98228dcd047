CASE WHEN YEAR((value - CAST(((value - DATE '1970-01-01') % 7 + 7) % 7 AS INTEGER))) >= 1 AND YEAR((value - CAST(((value - DATE '1970-01-01') % 7 + 7) % 7 AS INTEGER)) + 7) <= 9999 THEN
        '[' || STRFTIME((value - CAST(((value - DATE '1970-01-01') % 7 + 7) % 7 AS INTEGER)), '%Y-%m-%d') || ', ' || STRFTIME((value - CAST(((value - DATE '1970-01-01') % 7 + 7) % 7 AS INTEGER)) + 7, '%Y-%m-%d') || ')'
      END
