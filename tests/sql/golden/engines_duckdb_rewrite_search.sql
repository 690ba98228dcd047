INSERT INTO temp.main."sqlgen_found"
SELECT probe.value
FROM temp.main."sqlgen_probe" AS probe
CROSS JOIN (SELECT HEX(CAST(? AS BLOB)) AS digits) AS part
WHERE CONTAINS(part.digits, HEX(ENCODE(probe.value)))
