(SELECT s1 AS "disease" FROM cell)
