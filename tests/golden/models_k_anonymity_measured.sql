COALESCE(MIN(class_size), 0)
