-- guarantees/alpha_k_anonymity
SELECT
  class_id,
  largest * 10 > 9 * CAST(class_size AS HUGEINT) AS fails,
  largest / class_size AS figure,
  (largest * 10 - class_size * CAST(9 AS HUGEINT)) / 1 AS repair
FROM (
  SELECT
    class_id,
    class_size,
    CAST(COALESCE(MAX(value_count) FILTER (WHERE value_id IN (
      SELECT id_0
      FROM temp.main."sqlgen_ladder_3"
      WHERE value IN (TRY_CAST('flu' AS VARCHAR))
    )), 0) AS HUGEINT) AS largest
  FROM histogram_1
  GROUP BY class_id, class_size
) AS class_share

-- guarantees/belief_breach
SELECT
  class_id,
  BOOL_OR(
    contradicts
    OR (
      prior_part * 100 < 1 * prior_whole
      AND posterior_part * 100 > 99 * posterior_whole * (1 + 0)
    )
    OR (
      prior_part * 100 > 99 * prior_whole
      AND posterior_part * 100 < 1 * posterior_whole * (1 - 0)
    )
  ) AS fails,
  MAX(CASE WHEN contradicts THEN 1 ELSE ABS(posterior_part / posterior_whole - prior_part / prior_whole) END) AS figure,
  0 AS repair
FROM (
  WITH ranked_value AS (
    SELECT
      value_id,
      reference_count,
      ROW_NUMBER() OVER (ORDER BY reference_count DESC, value_id ASC) AS place
    FROM reference_1
  ),
  first_absent AS (
    SELECT
      class_id,
      class_size,
      reference_rows,
      COALESCE(MAX(held) FILTER (WHERE held = place), 0) + 1 AS place
    FROM (
      SELECT
        histogram.class_id,
        histogram.class_size,
        histogram.reference_rows,
        ranked_value.place,
        ROW_NUMBER() OVER (PARTITION BY histogram.class_id ORDER BY ranked_value.place ASC) AS held
      FROM compared_1 AS histogram
      JOIN ranked_value
        ON histogram.value_id = ranked_value.value_id
    ) AS held_value
    GROUP BY class_id, class_size, reference_rows
  )
  SELECT
    class_id,
    CAST(reference_count AS HUGEINT) AS prior_part,
    CAST(reference_rows AS HUGEINT) AS prior_whole,
    CAST(value_count AS HUGEINT) AS posterior_part,
    CAST(class_size AS HUGEINT) AS posterior_whole,
    FALSE AS contradicts
  FROM compared_1
  UNION ALL
  SELECT
    first_absent.class_id,
    ranked_value.reference_count,
    first_absent.reference_rows,
    0,
    first_absent.class_size,
    FALSE
  FROM first_absent
  JOIN ranked_value
    ON first_absent.place = ranked_value.place
) AS class_belief
GROUP BY class_id

-- guarantees/belief_of_shares
WITH ranked_value AS (
  SELECT
    value_id,
    reference_count,
    ROW_NUMBER() OVER (ORDER BY reference_count DESC, value_id ASC) AS place
  FROM reference_1
),
first_absent AS (
  SELECT
    class_id,
    class_size,
    reference_rows,
    COALESCE(MAX(held) FILTER (WHERE held = place), 0) + 1 AS place
  FROM (
    SELECT
      histogram.class_id,
      histogram.class_size,
      histogram.reference_rows,
      ranked_value.place,
      ROW_NUMBER() OVER (PARTITION BY histogram.class_id ORDER BY ranked_value.place ASC) AS held
    FROM compared_1 AS histogram
    JOIN ranked_value
      ON histogram.value_id = ranked_value.value_id
  ) AS held_value
  GROUP BY class_id, class_size, reference_rows
)
SELECT
  class_id,
  CAST(reference_count AS HUGEINT) AS prior_part,
  CAST(reference_rows AS HUGEINT) AS prior_whole,
  CAST(value_count AS HUGEINT) AS posterior_part,
  CAST(class_size AS HUGEINT) AS posterior_whole,
  FALSE AS contradicts
FROM compared_1
UNION ALL
SELECT
  first_absent.class_id,
  ranked_value.reference_count,
  first_absent.reference_rows,
  0,
  first_absent.class_size,
  FALSE
FROM first_absent
JOIN ranked_value
  ON first_absent.place = ranked_value.place

-- guarantees/belief_of_table
WITH block AS (
  SELECT class_id, value_id, SUM(person_count) AS block_count
  FROM people_2
  GROUP BY class_id, value_id
),
weighed AS (
  SELECT
    people.class_id,
    people.person_id,
    people.person_count,
    COALESCE(histogram.value_count, 0) * (people.person_count / block.block_count) AS weight
  FROM people_2 AS people
  JOIN block
    ON people.class_id = block.class_id
    AND people.value_id = block.value_id
  LEFT JOIN histogram_1 AS histogram
    ON people.class_id = histogram.class_id
    AND people.value_id = histogram.value_id
),
person AS (
  SELECT
    class_id,
    person_id,
    SUM(person_count) AS person_count,
    SUM(weight) AS weight,
    COUNT(*) AS value_count
  FROM weighed
  GROUP BY class_id, person_id
)
SELECT
  weighed.class_id,
  CAST(weighed.person_count AS HUGEINT) AS prior_part,
  CAST(person.person_count AS HUGEINT) AS prior_whole,
  weighed.weight AS posterior_part,
  person.weight AS posterior_whole,
  FALSE AS contradicts
FROM weighed
JOIN person
  ON weighed.class_id = person.class_id
  AND weighed.person_id = person.person_id
WHERE person.weight > 0
UNION ALL
SELECT person.class_id, 0, 1, 0, 1, FALSE
FROM person
JOIN (SELECT class_id, COUNT(*) AS value_count FROM block GROUP BY class_id) AS possible
  ON person.class_id = possible.class_id
WHERE person.weight > 0
  AND person.value_count < possible.value_count
UNION ALL
SELECT DISTINCT person.class_id, 0, 1, 0, 1, TRUE
FROM person
JOIN sized_1 AS sized
  ON person.class_id = sized.class_id
WHERE NOT person.weight > 0
UNION ALL
SELECT histogram.class_id, 0, 1, 0, 1, TRUE
FROM histogram_1 AS histogram
LEFT JOIN block
  ON histogram.class_id = block.class_id
  AND histogram.value_id = block.value_id
WHERE block.class_id IS NULL

-- guarantees/beta_likeness
SELECT
  class_id,
  BOOL_OR(
    value_count * CAST(reference_rows AS HUGEINT) * 1 > class_size * CAST(reference_count AS HUGEINT) * 6
    OR value_count * CAST(reference_rows AS HUGEINT) * 1000000000000 > class_size * CAST(reference_count AS HUGEINT) * CAST(FLOOR((1 - COALESCE(LN(NULLIF(reference_count, 0) / reference_rows), 0)) * 1e12) AS HUGEINT)
  ) AS fails,
  CASE
    WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
    ELSE MAX(GREATEST(0, (value_count / class_size) / NULLIF(reference_count / reference_rows, 0) - 1))
  END AS figure,
  MAX(CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END) AS repair
FROM (
  SELECT
    *,
    drifted_share * LEAST(6 / 1, 1 - COALESCE(LN(NULLIF(drifted_share, 0)), 0)) AS most_share
  FROM (
    SELECT
      *,
      LEAST(1, reference_count / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0)) AS drifted_share
    FROM compared_2
  ) AS drifted_value
) AS bounded_value
GROUP BY class_id, class_size

-- guarantees/concentration
SELECT
  class_id,
  FALSE AS fails,
  MAX(value_count / GREATEST(1, class_size * (reference_count / reference_rows))) AS figure,
  0 AS repair
FROM compared_1
GROUP BY class_id

-- guarantees/delta_presence
SELECT
  class_id,
  class_size * 1 > 1 * person_count
    OR class_size * 100 < 1 * person_count
    OR missing_people > 0 AS fails,
  CASE WHEN person_count > 0 THEN class_size / person_count ELSE CAST('infinity' AS DOUBLE) END AS figure,
  CASE WHEN class_size * 100 < 1 * person_count THEN class_size ELSE GREATEST(0, class_size - person_count * (1 / 1)) END AS repair
FROM (
  SELECT
    class.class_id,
    CAST(class.class_size AS HUGEINT) AS class_size,
    CAST(COALESCE(matched.person_count, 0) AS HUGEINT) AS person_count,
    missing.person_count AS missing_people
  FROM class_0 AS class
  LEFT JOIN (
    SELECT class_id, SUM(person_count) AS person_count
    FROM people_1
    GROUP BY class_id
  ) AS matched
    ON class.class_id = matched.class_id
  CROSS JOIN (
    SELECT COUNT(*) AS person_count
    FROM temp.main."sqlgen_people_1" AS person
    WHERE person.person_id NOT IN (
      SELECT people.person_id
      FROM people_1 AS people
      JOIN class_0 AS class
        ON people.class_id = class.class_id
    )
  ) AS missing
) AS class_presence

-- guarantees/dense_hierarchical_work
SELECT
  class_id,
  class_size,
  reference_rows,
  reference_values,
  reference_drift,
  vanishing_values,
  SUM(ABS(CAST(reference_rows AS BIGINT) * cut_count - CAST(class_size AS BIGINT) * reference_count)) AS work,
  CAST(4 AS HUGEINT) * class_size * reference_rows AS unit
FROM (
  SELECT
    dense.class_id,
    dense.class_size,
    dense.reference_rows,
    dense.reference_values,
    dense.reference_drift,
    dense.vanishing_values,
    CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
    CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
  FROM around AS dense
  JOIN temp.main."sqlgen_ladder_3" AS value
    ON dense.value_id = value.id_0
  GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_0
  UNION ALL
  SELECT
    dense.class_id,
    dense.class_size,
    dense.reference_rows,
    dense.reference_values,
    dense.reference_drift,
    dense.vanishing_values,
    CAST(SUM(dense.value_count) AS BIGINT) AS cut_count,
    CAST(SUM(dense.reference_count) AS BIGINT) AS reference_count
  FROM around AS dense
  JOIN temp.main."sqlgen_ladder_3" AS value
    ON dense.value_id = value.id_0
  GROUP BY dense.class_id, dense.class_size, dense.reference_rows, dense.reference_values, dense.reference_drift, dense.vanishing_values, value.id_1
) AS cut
GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values

-- guarantees/dense_histogram
(
  SELECT
    class.class_id,
    class.class_size,
    position.value_id,
    COALESCE(histogram.value_count, 0) AS value_count,
    COALESCE(reference.reference_count, 0) AS reference_count,
    class.reference_rows,
    class.reference_values,
    class.reference_drift,
    class.vanishing_values
  FROM (
    SELECT DISTINCT class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
    FROM compared_2
  ) AS class
  CROSS JOIN position
  LEFT JOIN compared_2 AS histogram
    ON class.class_id = histogram.class_id
    AND position.value_id = histogram.value_id
  LEFT JOIN reference_2 AS reference
    ON position.value_id = reference.value_id
)

-- guarantees/disclosure
SELECT
  class_id,
  BOOL_OR(contradicts OR posterior_part * 1 > 1 * posterior_whole * (1 + 1e-12)) AS fails,
  MAX(CASE WHEN contradicts THEN 1 ELSE posterior_part / posterior_whole END) AS figure,
  0 AS repair
FROM (
  WITH block AS (
    SELECT class_id, value_id, SUM(person_count) AS block_count
    FROM people_2
    GROUP BY class_id, value_id
  ),
  weighed AS (
    SELECT
      people.class_id,
      people.person_id,
      people.person_count,
      COALESCE(histogram.value_count, 0) * (people.person_count / block.block_count) AS weight
    FROM people_2 AS people
    JOIN block
      ON people.class_id = block.class_id
      AND people.value_id = block.value_id
    LEFT JOIN histogram_1 AS histogram
      ON people.class_id = histogram.class_id
      AND people.value_id = histogram.value_id
  ),
  person AS (
    SELECT
      class_id,
      person_id,
      SUM(person_count) AS person_count,
      SUM(weight) AS weight,
      COUNT(*) AS value_count
    FROM weighed
    GROUP BY class_id, person_id
  )
  SELECT
    weighed.class_id,
    CAST(weighed.person_count AS HUGEINT) AS prior_part,
    CAST(person.person_count AS HUGEINT) AS prior_whole,
    weighed.weight AS posterior_part,
    person.weight AS posterior_whole,
    FALSE AS contradicts
  FROM weighed
  JOIN person
    ON weighed.class_id = person.class_id
    AND weighed.person_id = person.person_id
  WHERE person.weight > 0
  UNION ALL
  SELECT person.class_id, 0, 1, 0, 1, FALSE
  FROM person
  JOIN (SELECT class_id, COUNT(*) AS value_count FROM block GROUP BY class_id) AS possible
    ON person.class_id = possible.class_id
  WHERE person.weight > 0
    AND person.value_count < possible.value_count
  UNION ALL
  SELECT DISTINCT person.class_id, 0, 1, 0, 1, TRUE
  FROM person
  JOIN sized_1 AS sized
    ON person.class_id = sized.class_id
  WHERE NOT person.weight > 0
  UNION ALL
  SELECT histogram.class_id, 0, 1, 0, 1, TRUE
  FROM histogram_1 AS histogram
  LEFT JOIN block
    ON histogram.class_id = block.class_id
    AND histogram.value_id = block.value_id
  WHERE block.class_id IS NULL
) AS class_belief
GROUP BY class_id

-- guarantees/distinct_l_diversity
SELECT
  class_id,
  COUNT(*) < 1 AS fails,
  COUNT(*) AS figure,
  class_size AS repair
FROM histogram_1
GROUP BY class_id, class_size

-- guarantees/divergence
SELECT
  class_id,
  distance > 0.5 * (1 + 1e-9) AS fails,
  distance AS figure,
  CASE WHEN distance < CAST('infinity' AS DOUBLE) AND most > 0.5 THEN class_size * (distance - 0.5 * (1 + 2e-9)) / (most - 0.5) ELSE 0 END AS repair
FROM (
  SELECT
    class_id,
    class_size,
    CASE
      WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
      ELSE GREATEST(0, SUM(value_count * (LN(value_count / class_size) - LN(NULLIF(reference_count, 0) / reference_rows))) / class_size)
    END AS distance,
    LN(reference_rows / (SELECT MIN(reference_count) FROM reference_4 WHERE reference_count > 0)) AS most
  FROM compared_4
  GROUP BY class_id, class_size, reference_rows
) AS class_distance

-- guarantees/entropy_l_diversity
SELECT
  class_id,
  class_size * entropy < class_size * LN(1.1) * (1 - 1e-9) AS fails,
  EXP(entropy) AS figure,
  class_size * (1 - 2e-9 - entropy / LN(1.1)) AS repair
FROM (
  SELECT
    class_id,
    class_size,
    GREATEST(0, LN(class_size) - SUM(value_count * LN(value_count)) / class_size) AS entropy
  FROM histogram_1
  GROUP BY class_id, class_size
) AS class_entropy

-- guarantees/equal_work
SELECT
  class_id,
  class_size,
  reference_rows,
  reference_values,
  reference_drift,
  vanishing_values,
  SUM(ABS(CAST(reference_rows AS HUGEINT) * value_count - CAST(class_size AS HUGEINT) * reference_count))
    + CAST(class_size AS HUGEINT) * (reference_rows - CAST(SUM(reference_count) AS BIGINT)) AS work,
  CAST(2 AS HUGEINT) * class_size * reference_rows AS unit
FROM compared_1
GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values

-- guarantees/few_values
SELECT
  class_id,
  FALSE AS fails,
  CASE WHEN COUNT(*) <= 1 THEN class_size ELSE 0 END AS figure,
  class_size AS repair
FROM histogram_1
GROUP BY class_id, class_size

-- guarantees/fewer_than_k
class_size < 3

-- guarantees/hierarchical_work
SELECT
  class_id,
  class_size,
  reference_rows,
  reference_values,
  reference_drift,
  vanishing_values,
  SUM(ABS(CAST(reference_rows AS HUGEINT) * cut_count - CAST(class_size AS HUGEINT) * reference_count))
    + CAST(class_size AS HUGEINT) * (2 * CAST(reference_rows AS HUGEINT) - SUM(reference_count)) AS work,
  CAST(4 AS HUGEINT) * class_size * reference_rows AS unit
FROM (
  SELECT
    class_cut.*,
    COALESCE(reference_cut.reference_count, 0) AS reference_count
  FROM (
    SELECT
      histogram.class_id,
      histogram.class_size,
      histogram.reference_rows,
      histogram.reference_values,
      histogram.reference_drift,
      histogram.vanishing_values,
      0 AS level,
      value.id_0 AS cut_id,
      CAST(SUM(histogram.value_count) AS BIGINT) AS cut_count
    FROM compared_1 AS histogram
    JOIN value_1 AS value
      ON histogram.value_id = value.id_0
    GROUP BY histogram.class_id, histogram.class_size, histogram.reference_rows, histogram.reference_values, histogram.reference_drift, histogram.vanishing_values, value.id_0
    UNION ALL
    SELECT
      histogram.class_id,
      histogram.class_size,
      histogram.reference_rows,
      histogram.reference_values,
      histogram.reference_drift,
      histogram.vanishing_values,
      1 AS level,
      value.id_1 AS cut_id,
      CAST(SUM(histogram.value_count) AS BIGINT) AS cut_count
    FROM compared_1 AS histogram
    JOIN value_1 AS value
      ON histogram.value_id = value.id_0
    GROUP BY histogram.class_id, histogram.class_size, histogram.reference_rows, histogram.reference_values, histogram.reference_drift, histogram.vanishing_values, value.id_1
  ) AS class_cut
  LEFT JOIN (
    SELECT
      0 AS level,
      value.id_0 AS cut_id,
      CAST(SUM(reference.reference_count) AS BIGINT) AS reference_count
    FROM reference_1 AS reference
    JOIN value_1 AS value
      ON reference.value_id = value.id_0
    GROUP BY value.id_0
    UNION ALL
    SELECT
      1 AS level,
      value.id_1 AS cut_id,
      CAST(SUM(reference.reference_count) AS BIGINT) AS reference_count
    FROM reference_1 AS reference
    JOIN value_1 AS value
      ON reference.value_id = value.id_0
    GROUP BY value.id_1
  ) AS reference_cut
    ON class_cut.level = reference_cut.level
    AND class_cut.cut_id = reference_cut.cut_id
) AS compared_cut
GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values

-- guarantees/js_distance
SELECT
  class_id,
  class_size,
  CASE WHEN reference_rows > 0 THEN GREATEST(0, (
    SUM(share * LN(2 * share / (share + reference_share)))
    + COALESCE(SUM(reference_share * LN(2 * NULLIF(reference_share, 0) / (share + reference_share))), 0)
    + (reference_rows - SUM(reference_count)) / reference_rows * LN(2)
  ) / 2) END AS distance,
  LN(2) AS most
FROM (
  SELECT
    *,
    value_count / class_size AS share,
    reference_count / reference_rows AS reference_share
  FROM compared_2
) AS share
GROUP BY class_id, class_size, reference_rows

-- guarantees/k_map
SELECT
  class.class_id,
  COALESCE(matched.person_count, 0) < 2 AS fails,
  COALESCE(matched.person_count, 0) AS figure,
  class.class_size AS repair
FROM class_0 AS class
LEFT JOIN (
  SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
  FROM people_1
  GROUP BY class_id
) AS matched
  ON class.class_id = matched.class_id

-- guarantees/kl_distance
SELECT
  class_id,
  class_size,
  CASE
    WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
    ELSE GREATEST(0, SUM(value_count * (LN(value_count / class_size) - LN(NULLIF(reference_count, 0) / reference_rows))) / class_size)
  END AS distance,
  LN(reference_rows / (SELECT MIN(reference_count) FROM reference_4 WHERE reference_count > 0)) AS most
FROM compared_4
GROUP BY class_id, class_size, reference_rows

-- guarantees/largest_ratio
SELECT
  class_id,
  fails OR held_values < reference_values AS fails,
  CASE WHEN is_infinite OR held_values < reference_values THEN CAST('infinity' AS DOUBLE) ELSE LN(NULLIF(furthest, 0)) END AS figure,
  CASE WHEN held_lasting < lasting_values THEN class_size ELSE repair END AS repair
FROM (
  SELECT
    class_id,
    class_size,
    reference_values,
    COUNT(*) FILTER (WHERE reference_count > 0) AS held_values,
    COUNT(*) FILTER (WHERE reference_count > reference_drift) AS held_lasting,
    lasting_values,
    BOOL_OR(reference_count = 0) AS is_infinite,
    BOOL_OR(
      value_count * CAST(reference_rows AS HUGEINT) * 50000000000000 > class_size * CAST(reference_count AS HUGEINT) * 1004276846159383
      OR class_size * CAST(reference_count AS HUGEINT) * 50000000000000 > value_count * CAST(reference_rows AS HUGEINT) * 1004276846159383
    ) AS fails,
    MAX(GREATEST(
      (value_count / class_size) / NULLIF(reference_count / reference_rows, 0),
      (reference_count / reference_rows) / (value_count / class_size)
    )) AS furthest,
    MAX(GREATEST(
      CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END,
      CASE WHEN least_share > 0 THEN class_size - value_count / least_share ELSE 0 END
    )) AS repair
  FROM (
    SELECT
      *,
      reference_count * (1004276846159383 / 50000000000000) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share,
      (reference_count - reference_drift) / (1004276846159383 / 50000000000000) / reference_rows AS least_share
    FROM compared_2
  ) AS bounded_value
  GROUP BY class_id, class_size, reference_values, lasting_values
) AS class_ratio

-- guarantees/linkage
SELECT
  class_id,
  linked > 0 AS fails,
  linked AS figure,
  0 AS repair
FROM (
  SELECT
    class.class_id,
    CASE WHEN class.class_size * CAST(1 AS HUGEINT) < 2 THEN matched.person_count ELSE 0 END AS linked
  FROM class_0 AS class
  JOIN (
    SELECT class_id, CAST(SUM(person_count) AS BIGINT) AS person_count
    FROM people_1
    GROUP BY class_id
  ) AS matched
    ON class.class_id = matched.class_id
  UNION ALL
  SELECT class_id, 0 AS linked
  FROM class_0 AS class
  WHERE class_id NOT IN (SELECT class_id FROM people_1)
) AS class_linkage

-- guarantees/n_t_closeness
WITH candidate AS (
  SELECT class_id, 1 AS superset, 1 AS member
  FROM class
  WHERE class_id IN (SELECT class_id FROM histogram_1)
  UNION ALL
  SELECT class_id, 2 AS superset, DENSE_RANK() OVER (ORDER BY key_1 ASC NULLS FIRST, TRUE ASC) AS member
  FROM class
  WHERE class_id IN (SELECT class_id FROM histogram_1)
),
superset_value AS MATERIALIZED (
  SELECT
    candidate.superset,
    candidate.member,
    histogram.value_id,
    CAST(SUM(histogram.value_count) AS BIGINT) AS reference_count
  FROM histogram_1 AS histogram
  JOIN candidate
    ON histogram.class_id = candidate.class_id
  GROUP BY candidate.superset, candidate.member, histogram.value_id
),
pair AS MATERIALIZED (
  SELECT
    ROW_NUMBER() OVER () AS pair_id,
    candidate.*,
    histogram.class_size,
    large.reference_rows,
    large.reference_values
  FROM candidate
  JOIN (SELECT DISTINCT class_id, class_size FROM histogram_1) AS histogram
    ON candidate.class_id = histogram.class_id
  JOIN (
    SELECT superset, member, CAST(SUM(reference_count) AS BIGINT) AS reference_rows, COUNT(*) AS reference_values
    FROM superset_value
    GROUP BY superset, member
    HAVING SUM(reference_count) >= 5
  ) AS large
    ON candidate.superset = large.superset
    AND candidate.member = large.member
),
around AS MATERIALIZED (
  SELECT
    pair.pair_id AS class_id,
    pair.class_size,
    superset_value.value_id,
    COALESCE(histogram.value_count, 0) AS value_count,
    superset_value.reference_count,
    pair.reference_rows,
    pair.reference_values,
    0 AS reference_drift,
    0 AS vanishing_values
  FROM pair
  JOIN superset_value
    ON pair.superset = superset_value.superset
    AND pair.member = superset_value.member
  LEFT JOIN histogram_1 AS histogram
    ON pair.class_id = histogram.class_id
    AND superset_value.value_id = histogram.value_id
),
around_held AS (
  SELECT *
  FROM around
  WHERE value_count > 0
)
SELECT
  class.class_id,
  COALESCE(BOOL_AND(verdict.fails), TRUE) AS fails,
  COALESCE(MIN(verdict.figure), CAST('infinity' AS DOUBLE)) AS figure,
  0 AS repair
FROM (SELECT DISTINCT class_id FROM histogram_1) AS class
LEFT JOIN pair
  ON class.class_id = pair.class_id
LEFT JOIN (
  SELECT
    class_id,
    work * 1 > unit * 1 AS fails,
    work / unit AS figure,
    CAST(0 AS DOUBLE) AS repair
  FROM (
    SELECT
      class_id,
      class_size,
      work,
      unit,
      reference_drift / reference_rows + vanishing_values / GREATEST(reference_values - 1, 1) AS drift
    FROM (
      WITH position AS MATERIALIZED (
        SELECT
          id_0 AS value_id,
          ROW_NUMBER() OVER (ORDER BY position ASC) AS place
        FROM temp.main."sqlgen_ladder_3"
        WHERE id_0 IN (SELECT value_id FROM histogram_1)
      )
      SELECT
        class_id,
        class_size,
        reference_rows,
        reference_values,
        reference_drift,
        vanishing_values,
        COALESCE(SUM(places * ABS(CAST(reference_rows AS BIGINT) * class_cumulative - CAST(class_size AS BIGINT) * reference_cumulative)), 0) AS work,
        GREATEST(CAST((SELECT COUNT(*) - 1 FROM position) AS HUGEINT) * class_size * reference_rows, 1) AS unit
      FROM (
        SELECT
          dense.*,
          CAST(LEAD(position.place) OVER class_order - position.place AS HUGEINT) AS places,
          CAST(SUM(dense.value_count) OVER class_order AS BIGINT) AS class_cumulative,
          CAST(SUM(dense.reference_count) OVER class_order AS BIGINT) AS reference_cumulative
        FROM around AS dense
        JOIN position
          ON dense.value_id = position.value_id
        WINDOW class_order AS (PARTITION BY dense.class_id ORDER BY position.place ASC)
      ) AS cumulative
      GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
    ) AS class_work
  ) AS class_distance
) AS verdict
  ON pair.pair_id = verdict.class_id
GROUP BY class.class_id

-- guarantees/ordered_positions
SELECT
  value_id,
  place,
  cumulative - reference_count AS cumulative_before,
  cumulative,
  CAST(SUM(CAST(cumulative AS HUGEINT)) OVER (ORDER BY place ASC) - cumulative AS HUGEINT) AS prefix_before
FROM (
  SELECT
    value_id,
    reference_count,
    ROW_NUMBER() OVER (ORDER BY position ASC) AS place,
    CAST(SUM(reference_count) OVER (ORDER BY position ASC) AS BIGINT) AS cumulative
  FROM (
    SELECT
      value.id_0 AS value_id,
      value.position,
      COALESCE(reference.reference_count, 0) AS reference_count
    FROM value_1 AS value
    LEFT JOIN reference_1 AS reference
      ON value.id_0 = reference.value_id
    WHERE reference.reference_count > 0
  ) AS occurring_value
) AS placed_value

-- guarantees/ordered_values
SELECT
  class_id,
  class_size,
  place,
  prefix_before,
  mass_before,
  mass,
  class_size * cumulative_before > owed_before AS was_ahead,
  class_size * cumulative > CAST(reference_rows AS HUGEINT) * mass AS is_ahead,
  mass_before > 0 AND class_size * cumulative_before > owed_before AND class_size * last_cumulative <= owed_before AS is_parted
FROM (
  SELECT
    class_start.class_id,
    CAST(class_start.class_size AS HUGEINT) AS class_size,
    position.place,
    position.prefix_before,
    position.cumulative_before,
    position.cumulative,
    last_position.cumulative AS last_cumulative,
    running_rows - class_start.rows_before - value_count AS mass_before,
    running_rows - class_start.rows_before AS mass,
    CAST(total.reference_rows AS HUGEINT) * (running_rows - class_start.rows_before - value_count) AS owed_before,
    total.reference_rows
  FROM (
    SELECT
      class_id,
      value_id,
      value_count,
      CAST(SUM(value_count) OVER class_order AS BIGINT) AS running_rows,
      LAG(value_id) OVER class_order AS last_value_id
    FROM (
      SELECT
        CAST(histogram.class_id AS UINTEGER) AS class_id,
        CAST(position.place AS UINTEGER) AS place,
        histogram.value_id,
        histogram.value_count
      FROM histogram_1 AS histogram
      JOIN position
        ON histogram.value_id = position.value_id
    ) AS placed_value
    WINDOW class_order AS (ORDER BY class_id ASC, place ASC ROWS UNBOUNDED PRECEDING)
  ) AS running_value
  JOIN position
    ON running_value.value_id = position.value_id
  LEFT JOIN position AS last_position
    ON running_value.last_value_id = last_position.value_id
  JOIN class_start
    ON running_value.class_id = class_start.class_id
  CROSS JOIN total_1 AS total
) AS class_value

-- guarantees/ordered_work
WITH position AS MATERIALIZED (
  SELECT
    value_id,
    place,
    cumulative - reference_count AS cumulative_before,
    cumulative,
    CAST(SUM(CAST(cumulative AS HUGEINT)) OVER (ORDER BY place ASC) - cumulative AS HUGEINT) AS prefix_before
  FROM (
    SELECT
      value_id,
      reference_count,
      ROW_NUMBER() OVER (ORDER BY position ASC) AS place,
      CAST(SUM(reference_count) OVER (ORDER BY position ASC) AS BIGINT) AS cumulative
    FROM (
      SELECT
        value.id_0 AS value_id,
        value.position,
        COALESCE(reference.reference_count, 0) AS reference_count
      FROM temp.main."sqlgen_ladder_3" AS value
      LEFT JOIN reference_2 AS reference
        ON value.id_0 = reference.value_id
      WHERE reference.reference_count > 0
    ) AS occurring_value
  ) AS placed_value
)
SELECT
  class_id,
  class_size,
  reference_rows,
  reference_values,
  reference_drift,
  vanishing_values,
  COALESCE(SUM(places * ABS(CAST(reference_rows AS HUGEINT) * class_cumulative - CAST(class_size AS HUGEINT) * reference_cumulative)), 0) AS work,
  GREATEST(CAST((SELECT COUNT(*) - 1 FROM position) AS HUGEINT) * class_size * reference_rows, 1) AS unit
FROM (
  SELECT
    dense.*,
    CAST(LEAD(position.place) OVER class_order - position.place AS HUGEINT) AS places,
    CAST(SUM(dense.value_count) OVER class_order AS BIGINT) AS class_cumulative,
    CAST(SUM(dense.reference_count) OVER class_order AS BIGINT) AS reference_cumulative
  FROM (
  SELECT
    class.class_id,
    class.class_size,
    position.value_id,
    COALESCE(histogram.value_count, 0) AS value_count,
    COALESCE(reference.reference_count, 0) AS reference_count,
    class.reference_rows,
    class.reference_values,
    class.reference_drift,
    class.vanishing_values
  FROM (
    SELECT DISTINCT class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
    FROM compared_2
  ) AS class
  CROSS JOIN position
  LEFT JOIN compared_2 AS histogram
    ON class.class_id = histogram.class_id
    AND position.value_id = histogram.value_id
  LEFT JOIN reference_2 AS reference
    ON position.value_id = reference.value_id
) AS dense
  JOIN position
    ON dense.value_id = position.value_id
  WINDOW class_order AS (PARTITION BY dense.class_id ORDER BY position.place ASC)
) AS cumulative
GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values

-- guarantees/ordered_work.duckdb
WITH position AS MATERIALIZED (
  SELECT
    value_id,
    place,
    cumulative - reference_count AS cumulative_before,
    cumulative,
    CAST(SUM(CAST(cumulative AS HUGEINT)) OVER (ORDER BY place ASC) - cumulative AS HUGEINT) AS prefix_before
  FROM (
    SELECT
      value_id,
      reference_count,
      ROW_NUMBER() OVER (ORDER BY position ASC) AS place,
      CAST(SUM(reference_count) OVER (ORDER BY position ASC) AS BIGINT) AS cumulative
    FROM (
      SELECT
        value.id_0 AS value_id,
        value.position,
        COALESCE(reference.reference_count, 0) AS reference_count
      FROM value_1 AS value
      LEFT JOIN reference_1 AS reference
        ON value.id_0 = reference.value_id
      WHERE reference.reference_count > 0
    ) AS occurring_value
  ) AS placed_value
),
class_start AS MATERIALIZED (
  SELECT
    class_id,
    class_size,
    CAST(SUM(class_size) OVER (ORDER BY class_id ASC) - class_size AS BIGINT) AS rows_before
  FROM sized_1
),
class_sum AS MATERIALIZED (
  SELECT
    class_id,
    MIN(class_size) AS class_size,
    SUM(CASE WHEN was_ahead = is_ahead THEN 0 WHEN was_ahead THEN prefix_before ELSE -prefix_before END) AS prefixes,
    SUM((place - 1) * (CASE WHEN was_ahead THEN mass_before ELSE -mass_before END + CASE WHEN is_ahead THEN -mass ELSE mass END)) AS masses,
    LIST(mass_before) FILTER (WHERE is_parted) AS parted_masses
  FROM (
    SELECT
      class_id,
      class_size,
      place,
      prefix_before,
      mass_before,
      mass,
      class_size * cumulative_before > owed_before AS was_ahead,
      class_size * cumulative > CAST(reference_rows AS HUGEINT) * mass AS is_ahead,
      mass_before > 0 AND class_size * cumulative_before > owed_before AND class_size * last_cumulative <= owed_before AS is_parted
    FROM (
      SELECT
        class_start.class_id,
        CAST(class_start.class_size AS HUGEINT) AS class_size,
        position.place,
        position.prefix_before,
        position.cumulative_before,
        position.cumulative,
        last_position.cumulative AS last_cumulative,
        running_rows - class_start.rows_before - value_count AS mass_before,
        running_rows - class_start.rows_before AS mass,
        CAST(total.reference_rows AS HUGEINT) * (running_rows - class_start.rows_before - value_count) AS owed_before,
        total.reference_rows
      FROM (
        SELECT
          class_id,
          value_id,
          value_count,
          CAST(SUM(value_count) OVER class_order AS BIGINT) AS running_rows,
          LAG(value_id) OVER class_order AS last_value_id
        FROM (
          SELECT
            CAST(histogram.class_id AS UINTEGER) AS class_id,
            CAST(position.place AS UINTEGER) AS place,
            histogram.value_id,
            histogram.value_count
          FROM histogram_1 AS histogram
          JOIN position
            ON histogram.value_id = position.value_id
        ) AS placed_value
        WINDOW class_order AS (ORDER BY class_id ASC, place ASC ROWS UNBOUNDED PRECEDING)
      ) AS running_value
      JOIN position
        ON running_value.value_id = position.value_id
      LEFT JOIN position AS last_position
        ON running_value.last_value_id = last_position.value_id
      JOIN class_start
        ON running_value.class_id = class_start.class_id
      CROSS JOIN total_1 AS total
    ) AS class_value
  ) AS class_value
  GROUP BY class_id
),
parted AS (
  SELECT class_id, SUM(prefix) AS prefixes, SUM(mass * place) AS masses
  FROM (
    SELECT class_id, mass, MAX(place) OVER up_to AS place, MAX(prefix) OVER up_to AS prefix
    FROM (
      SELECT
        class_id,
        mass,
        CAST(total.reference_rows AS HUGEINT) * mass // class_size AS reached,
        0 AS place,
        0 AS prefix
      FROM (SELECT class_id, class_size, UNNEST(parted_masses) AS mass FROM class_sum) AS gap
      CROSS JOIN total_1 AS total
      UNION ALL
      SELECT NULL, NULL, cumulative, place, prefix_before + cumulative
      FROM position
    ) AS gap_or_place
    WINDOW up_to AS (ORDER BY reached ASC)
  ) AS parted_gap
  WHERE class_id IS NOT NULL
  GROUP BY class_id
)
SELECT
  class_sum.class_id,
  class_sum.class_size,
  reference_rows,
  reference_values,
  reference_drift,
  vanishing_values,
  CAST(class_sum.class_size AS HUGEINT) * (2 * (class_sum.prefixes - COALESCE(parted.prefixes, 0)) - last_prefix)
    - CAST(reference_rows AS HUGEINT) * (class_sum.masses - 2 * COALESCE(parted.masses, 0) - CAST(last_place AS HUGEINT) * class_sum.class_size) AS work,
  GREATEST(CAST(last_place - 1 AS HUGEINT) * class_sum.class_size * reference_rows, 1) AS unit
FROM class_sum
LEFT JOIN parted
  ON class_sum.class_id = parted.class_id
CROSS JOIN total_1 AS total
CROSS JOIN (SELECT MAX(place) AS last_place, MAX(prefix_before + cumulative) AS last_prefix FROM position) AS last_position

-- guarantees/places
SELECT
  id_0 AS value_id,
  ROW_NUMBER() OVER (ORDER BY position ASC) AS place
FROM temp.main."sqlgen_ladder_3"
WHERE id_0 IN (SELECT value_id FROM histogram_1)

-- guarantees/protected_values
SELECT
  verdict.class_id,
  verdict.fails OR rarest * 100 < 1 * CAST(class_size AS HUGEINT) AS fails,
  verdict.figure,
  GREATEST(verdict.repair, class_size - rarest / (1 / 100)) AS repair
FROM (
  SELECT
    class_id,
    COALESCE(CAST(leading_count AS HUGEINT) * 1 >= 30 * CAST(tail AS HUGEINT), FALSE) AS fails,
    CASE
      WHEN leading_count IS NULL THEN 0
      WHEN tail = 0 THEN CAST('infinity' AS DOUBLE)
      ELSE leading_count / tail
    END AS figure,
    GREATEST(COALESCE(leading_count - tail * (30 / 1), 0), 0) AS repair
  FROM (
    SELECT
      class_id,
      CAST(leading_count AS HUGEINT) AS leading_count,
      CAST(CASE
        WHEN LEN(largest) < 1 OR leading_count >= largest[1] THEN class_size - LIST_SUM(largest)
        ELSE class_size - LIST_SUM(largest) + largest[1] - leading_count
      END AS HUGEINT) AS tail
    FROM (
      SELECT
        class_id,
        class_size,
        MAX(value_count) FILTER (WHERE value_id NOT IN (
          SELECT id_0
          FROM temp.main."sqlgen_ladder_3"
          WHERE value IN (TRY_CAST('flu' AS VARCHAR))
        )) AS leading_count,
        MAX(value_count, 1) AS largest
      FROM histogram_1
      GROUP BY class_id, class_size
    ) AS class_count
  ) AS class_tail
) AS verdict
JOIN (
  SELECT
    class_id,
    class_size,
    CAST(CASE
      WHEN COUNT(*) FILTER (WHERE value_id IN (
        SELECT id_0
        FROM temp.main."sqlgen_ladder_3"
        WHERE value IN (TRY_CAST('flu' AS VARCHAR), TRY_CAST('ulcer' AS VARCHAR))
      )) < 2 THEN 0
      ELSE MIN(value_count) FILTER (WHERE value_id IN (
        SELECT id_0
        FROM temp.main."sqlgen_ladder_3"
        WHERE value IN (TRY_CAST('flu' AS VARCHAR), TRY_CAST('ulcer' AS VARCHAR))
      ))
    END AS HUGEINT) AS rarest
  FROM histogram_1
  GROUP BY class_id, class_size
) AS protected_count
  ON verdict.class_id = protected_count.class_id

-- guarantees/recursive_l_diversity
SELECT
  class_id,
  COALESCE(CAST(leading_count AS HUGEINT) * 1 >= 30 * CAST(tail AS HUGEINT), FALSE) AS fails,
  CASE
    WHEN leading_count IS NULL THEN 0
    WHEN tail = 0 THEN CAST('infinity' AS DOUBLE)
    ELSE leading_count / tail
  END AS figure,
  GREATEST(COALESCE(leading_count - tail * (30 / 1), 0), 0) AS repair
FROM (
  SELECT
    class_id,
    CAST(leading_count AS HUGEINT) AS leading_count,
    CAST(CASE
      WHEN LEN(largest) < 1 OR leading_count >= largest[1] THEN class_size - LIST_SUM(largest)
      ELSE class_size - LIST_SUM(largest) + largest[1] - leading_count
    END AS HUGEINT) AS tail
  FROM (
    SELECT
      class_id,
      class_size,
      MAX(value_count) FILTER (WHERE value_id NOT IN (
        SELECT id_0
        FROM temp.main."sqlgen_ladder_3"
        WHERE value IN (TRY_CAST('flu' AS VARCHAR))
      )) AS leading_count,
      MAX(value_count, 1) AS largest
    FROM histogram_1
    GROUP BY class_id, class_size
  ) AS class_count
) AS class_tail

-- guarantees/similarity
SELECT
  class_id,
  FALSE AS fails,
  CASE WHEN COUNT(DISTINCT group_id) = 1 THEN class_size ELSE 0 END AS figure,
  class_size AS repair
FROM (
  SELECT
    histogram.class_id,
    histogram.class_size,
    value.id_1 AS group_id
  FROM histogram_1 AS histogram
  JOIN value_1 AS value
    ON histogram.value_id = value.id_0
) AS class_group
GROUP BY class_id, class_size

-- guarantees/skewness
SELECT
  class_id,
  BOOL_OR(value_count * CAST(reference_rows AS HUGEINT) * 1 > class_size * CAST(reference_count AS HUGEINT) * 5) AS fails,
  CASE
    WHEN MIN(reference_count) = 0 THEN CAST('infinity' AS DOUBLE)
    ELSE MAX((value_count / class_size) / NULLIF(reference_count / reference_rows, 0))
  END AS figure,
  MAX(CASE WHEN most_share < 0.999 THEN (value_count - most_share * class_size) / (1 - most_share) ELSE 0 END) AS repair
FROM (
  SELECT
    *,
    reference_count * (5 / 1) / NULLIF(GREATEST(reference_rows - reference_drift, 0), 0) AS most_share
  FROM compared_2
) AS bounded_value
GROUP BY class_id, class_size

-- guarantees/supersets
candidate AS (
  SELECT class_id, 1 AS superset, 1 AS member
  FROM class
  WHERE class_id IN (SELECT class_id FROM histogram_1)
  UNION ALL
  SELECT class_id, 2 AS superset, DENSE_RANK() OVER (ORDER BY key_1 ASC NULLS FIRST, TRUE ASC) AS member
  FROM class
  WHERE class_id IN (SELECT class_id FROM histogram_1)
),
superset_value AS MATERIALIZED (
  SELECT
    candidate.superset,
    candidate.member,
    histogram.value_id,
    CAST(SUM(histogram.value_count) AS BIGINT) AS reference_count
  FROM histogram_1 AS histogram
  JOIN candidate
    ON histogram.class_id = candidate.class_id
  GROUP BY candidate.superset, candidate.member, histogram.value_id
),
pair AS MATERIALIZED (
  SELECT
    ROW_NUMBER() OVER () AS pair_id,
    candidate.*,
    histogram.class_size,
    large.reference_rows,
    large.reference_values
  FROM candidate
  JOIN (SELECT DISTINCT class_id, class_size FROM histogram_1) AS histogram
    ON candidate.class_id = histogram.class_id
  JOIN (
    SELECT superset, member, CAST(SUM(reference_count) AS BIGINT) AS reference_rows, COUNT(*) AS reference_values
    FROM superset_value
    GROUP BY superset, member
    HAVING SUM(reference_count) >= 5
  ) AS large
    ON candidate.superset = large.superset
    AND candidate.member = large.member
)

-- guarantees/t_closeness
SELECT
  class_id,
  work * 2 > unit * 1 AS fails,
  work / unit AS figure,
  class_size * ((work * 2 - unit * 1) / (unit * 1)) AS repair
FROM (
  SELECT
    class_id,
    class_size,
    work,
    unit,
    reference_drift / reference_rows AS drift
  FROM (
    SELECT
      class_id,
      class_size,
      reference_rows,
      reference_values,
      reference_drift,
      vanishing_values,
      SUM(ABS(CAST(reference_rows AS HUGEINT) * value_count - CAST(class_size AS HUGEINT) * reference_count))
        + CAST(class_size AS HUGEINT) * (reference_rows - CAST(SUM(reference_count) AS BIGINT)) AS work,
      CAST(2 AS HUGEINT) * class_size * reference_rows AS unit
    FROM compared_1
    GROUP BY class_id, class_size, reference_rows, reference_values, reference_drift, vanishing_values
  ) AS class_work
) AS class_distance

-- guarantees/value_ids
(
  SELECT id_0
  FROM temp.main."sqlgen_ladder_3"
  WHERE value IN (TRY_CAST('flu' AS VARCHAR))
)
