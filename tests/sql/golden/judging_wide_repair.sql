CASE WHEN class_size < 3 THEN class_size ELSE 0 END
