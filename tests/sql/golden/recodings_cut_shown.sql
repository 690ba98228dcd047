CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_cut_shown" AS
WITH named AS MATERIALIZED (
  SELECT span.*, CASE WHEN own_label.id IS NOT NULL THEN 1000 ELSE span.level END AS shown_level, own_label.id AS own_id
  FROM temp.main."sqlgen_cut_span" AS span
  LEFT JOIN temp.main."sqlgen_own_label" AS own_label
    ON span.number = own_label.number
)
SELECT
  extent.*,
  named_1.number AS span_1, named_1.shown_level AS level_1, named_1.own_id AS own_1,
  named_2.number AS span_2, named_2.shown_level AS level_2, named_2.own_id AS own_2
FROM temp.main."sqlgen_cut_extent" AS extent
LEFT JOIN temp.main."sqlgen_cut_member" AS part_1
  ON part_1.region = extent.region AND part_1.quasi = 1
JOIN named AS named_1
  ON named_1.quasi = 1
  AND named_1.first_place = extent.first_1
  AND named_1.last_place = extent.last_1
  AND named_1.members IS NOT DISTINCT FROM part_1.members
JOIN named AS named_2
  ON named_2.quasi = 2
  AND named_2.first_place = extent.first_2
  AND named_2.last_place = extent.last_2
