DROP TABLE IF EXISTS temp.main."sqlgen_audit"
