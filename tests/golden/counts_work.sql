CAST(ABS(r_rows * (s_0) - class_size * (r_0)) + ABS(r_rows * (s_1) - class_size * (r_1)) AS HUGEINT) AS work_2,
CAST(2 AS HUGEINT) * class_size * r_rows AS unit_2
