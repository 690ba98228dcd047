CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_own_leaf" AS
SELECT own_label.quasi, own_label.id, place.leaf
FROM (
  SELECT quasi, id, UNNEST(members) AS place
  FROM temp.main."sqlgen_own_label"
  WHERE members IS NOT NULL
) AS own_label
JOIN temp.main."sqlgen_cut_place" AS place
  ON own_label.quasi = place.quasi AND own_label.place = place.place
UNION ALL
SELECT own_label.quasi, own_label.id, place.leaf
FROM temp.main."sqlgen_own_label" AS own_label
JOIN temp.main."sqlgen_cut_place" AS place
  ON own_label.quasi = place.quasi AND place.place BETWEEN own_label.first_place AND own_label.last_place
WHERE own_label.members IS NULL
