class_size AS figure_1,
class_size < 3 AS fails_1,
CASE WHEN class_size < 3 THEN class_size ELSE 0 END AS repair_1
