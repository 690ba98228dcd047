values_4 < 1 AS fails_4,
values_4 AS figure_4,
class_size AS need_4
