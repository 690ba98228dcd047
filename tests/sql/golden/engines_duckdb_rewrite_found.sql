CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_found" (value VARCHAR)
