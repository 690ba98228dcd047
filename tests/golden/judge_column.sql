(SELECT kept_1 AS "disease" FROM cell)
