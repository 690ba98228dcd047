class_size < 3 AS fails_1,
class_size AS figure_1
