SELECT
  COUNT(*) AS row_count,
  COUNT(*) - COUNT("source"."name") AS null_rows_1,
  COUNT(*) - COUNT("source"."zip") AS null_rows_2,
  COUNT(*) - COUNT("source"."age") AS null_rows_3,
  COUNT(*) - COUNT("source"."disease") AS null_rows_4,
  COUNT(*) - COUNT("source"."visits") AS null_rows_5,
  COUNT(*) - COUNT("source"."seen") AS null_rows_6,
  COUNT(*) - COUNT("source"."called") AS null_rows_7,
  COUNT(*) - COUNT("source"."written") AS null_rows_8,
  COUNT(*) - COUNT("source"."weight") AS null_rows_9,
  COUNT(*) - COUNT("source"."tags") AS null_rows_10
FROM "memory"."main"."patients" AS source
