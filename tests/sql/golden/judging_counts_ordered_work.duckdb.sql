LIST_SUM(LIST_TRANSFORM([s_0, s_1], LAMBDA x, i: ABS(r_rows * x - class_size * cuts_2[i]) * occurs_2[i])) AS work_2,
GREATEST(CAST(LIST_SUM(occurs_2) - 1 AS HUGEINT) * class_size * r_rows, 1) AS unit_2,
LIST_SUM(LIST_TRANSFORM([s_0, s_1], LAMBDA x, i: CASE WHEN r_rows * x > class_size * cuts_2[i] THEN cuts_2[i] ELSE r_rows - cuts_2[i] END * occurs_2[i])) AS reach_2,
GREATEST(LIST_SUM(occurs_2) - 1, 1) AS scale_2
