CAST((word_1 >> 0) & 3 AS UTINYINT)
