SELECT * FROM temp.main."sqlgen_audit"
