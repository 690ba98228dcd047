CASE WHEN (r_0) > 0 THEN 1 ELSE 0 END AS occurs_2_0,
CASE WHEN (r_1 - r_0) > 0 THEN 1 ELSE 0 END AS occurs_2_1
