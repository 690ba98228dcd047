CREATE TEMPORARY TABLE temp.main."sqlgen_joint_label_q1" AS
SELECT called, CAST(ROW_NUMBER() OVER () AS UINTEGER) AS id
FROM (
  SELECT q1 AS called
  FROM temp.main."sqlgen_joint_shown_1"
) AS text
GROUP BY called
