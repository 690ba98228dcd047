SELECT "paid"
FROM "main"."dataframe"
