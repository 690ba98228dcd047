SELECT * FROM verdict_0
