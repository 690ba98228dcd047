(CAST(id_0 AS BIGINT) << 0) | (CAST(id_1 AS BIGINT) << 2) AS word_1
