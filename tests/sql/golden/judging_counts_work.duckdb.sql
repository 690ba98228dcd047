LIST_SUM(LIST_TRANSFORM([s_0, s_1], LAMBDA x, i: ABS(r_rows * x - class_size * cuts_2[i]))) AS work_2,
CAST(2 AS HUGEINT) * class_size * r_rows AS unit_2,
LIST_SUM(LIST_TRANSFORM([s_0, s_1], LAMBDA x, i: CASE WHEN r_rows * x > class_size * cuts_2[i] THEN cuts_2[i] ELSE 0 END)) AS reach_2,
1 AS scale_2
