class_size * entropy_5 < class_size * LN(1) * (1 - 1e-9) AS fails_5,
EXP(entropy_5) AS figure_5,
CAST(0 AS DOUBLE) AS need_5
