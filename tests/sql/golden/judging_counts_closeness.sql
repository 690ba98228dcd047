work_2 * 2 > unit_2 * 1 AS fails_2,
work_2 / unit_2 AS figure_2,
class_size * (work_2 / unit_2 + reach_2 / (scale_2 * r_rows) - (0.5 + reach_2 / (scale_2 * 28))) / CASE WHEN 0.5 + reach_2 / (scale_2 * 28) < 0.999 THEN 1 - (0.5 + reach_2 / (scale_2 * 28)) END AS need_2
