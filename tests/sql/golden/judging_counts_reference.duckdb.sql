[r_0, r_1] AS cuts_2
