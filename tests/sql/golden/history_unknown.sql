SELECT release, CAST(SUM(row_count) AS BIGINT) AS unknown_rows
FROM temp.main."sqlgen_joint_rolled"
WHERE is_unknown
GROUP BY release
