CREATE OR REPLACE TEMPORARY TABLE temp.main."sqlgen_group_key" AS
SELECT
  CONCAT(
    CAST(SUM(CAST(CONCAT('0x', SUBSTRING(digest, 1, 15)) AS BIGINT)) AS VARCHAR),
    '-',
    CAST(SUM(CAST(CONCAT('0x', SUBSTRING(digest, 16, 15)) AS BIGINT)) AS VARCHAR)
  ) AS hash_key
FROM (
  SELECT
    MD5(
      CONCAT(
        COALESCE(CONCAT(LENGTH(CAST(CAST("source"."name" AS VARCHAR) COLLATE C AS VARCHAR)), ':', CAST(CAST("source"."name" AS VARCHAR) COLLATE C AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST(CAST("source"."zip" AS VARCHAR) COLLATE C AS VARCHAR)), ':', CAST(CAST("source"."zip" AS VARCHAR) COLLATE C AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST("source"."age" AS VARCHAR)), ':', CAST("source"."age" AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST(CAST("source"."disease" AS VARCHAR) COLLATE C AS VARCHAR)), ':', CAST(CAST("source"."disease" AS VARCHAR) COLLATE C AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST("source"."visits" AS VARCHAR)), ':', CAST("source"."visits" AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST("source"."seen" AS VARCHAR)), ':', CAST("source"."seen" AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST("source"."called" AS VARCHAR)), ':', CAST("source"."called" AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST("source"."written" AS VARCHAR)), ':', CAST("source"."written" AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST(CAST("source"."weight" AS VARCHAR) COLLATE C AS VARCHAR)), ':', CAST(CAST("source"."weight" AS VARCHAR) COLLATE C AS VARCHAR)), '-'),
        COALESCE(CONCAT(LENGTH(CAST(CAST("source"."tags" AS VARCHAR) COLLATE C AS VARCHAR)), ':', CAST(CAST("source"."tags" AS VARCHAR) COLLATE C AS VARCHAR)), '-')
      )
    ) AS digest
  FROM "memory"."main"."patients" AS source
) AS source_row
