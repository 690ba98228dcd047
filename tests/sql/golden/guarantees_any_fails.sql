class_size < 3
