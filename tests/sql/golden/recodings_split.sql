CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_split_1" AS
SELECT region, quasi, rest_number
FROM (
  SELECT
    specialization.region,
    specialization.quasi,
    specialization.rest_number,
    ROW_NUMBER() OVER (
      PARTITION BY specialization.region
      ORDER BY specialization.gain DESC, specialization.quasi ASC
    ) AS place
  FROM (
    SELECT
      finer.region,
      finer.quasi,
      MIN(finer.class_id) FILTER (WHERE NOT finer.passes) AS rest_number,
      CAST(SUM(finer.class_size * label.saved) FILTER (WHERE finer.passes) AS HUGEINT) AS gain
    FROM temp.main."sqlgen_finer_1" AS finer
    JOIN temp.main."sqlgen_region_label" AS label
      ON finer.quasi = label.ladder
      AND finer.level = label.level
      AND finer.child = label.id
    GROUP BY finer.region, finer.quasi
    HAVING BOOL_OR(finer.passes)
  ) AS specialization
  LEFT JOIN temp.main."sqlgen_rest_1" AS rest
    ON specialization.region = rest.region
    AND specialization.quasi = rest.quasi
  WHERE specialization.rest_number IS NULL OR COALESCE(rest.passes, FALSE)
) AS ranked
WHERE place = 1
