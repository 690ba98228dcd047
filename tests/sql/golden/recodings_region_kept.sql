CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_region_kept" AS
SELECT
  kept.number,
  kept.parent,
  kept.is_shown,
  FALSE AS is_gone,
  FALSE AS is_top,
  kept.levels[1] AS level_1, label_1.id AS id_1,
  kept.levels[2] AS level_2, label_2.id AS id_2
FROM (SELECT * FROM "memory"."main"."sqlgen_releases_regions" WHERE fingerprint = 'sha256:9e5a2ca9b0df709f7dcd332f80a567d03df153b456651cd67e7de76abaedf9da') AS kept
JOIN temp.main."sqlgen_region_label" AS label_1
  ON label_1.ladder = 1
  AND label_1.level = kept.levels[1]
  AND label_1.label IS NOT DISTINCT FROM CAST(kept.labels[1] AS VARCHAR) COLLATE C
JOIN temp.main."sqlgen_region_label" AS label_2
  ON label_2.ladder = 2
  AND label_2.level = kept.levels[2]
  AND label_2.label IS NOT DISTINCT FROM CAST(kept.labels[2] AS VARCHAR) COLLATE C
