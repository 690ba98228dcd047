COPY (SELECT 'unfinished' AS unfinished) TO '/folder/released.csv.sqlgen-partial' (FORMAT CSV, HEADER TRUE, DELIMITER ',', QUOTE '"', ESCAPE '"', NULLSTR '', COMPRESSION 'none', USE_TMP_FILE FALSE)
