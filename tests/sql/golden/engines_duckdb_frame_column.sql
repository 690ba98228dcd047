SELECT "paid"
FROM temp.main."dataframe"
