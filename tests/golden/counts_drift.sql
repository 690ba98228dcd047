12 / r_rows AS drift_2
