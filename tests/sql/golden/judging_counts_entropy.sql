GREATEST(0, LN(class_size) - (s_0 * LN(GREATEST(s_0, 1)) + (s_1 - s_0) * LN(GREATEST((s_1 - s_0), 1))) / class_size) AS entropy_5
