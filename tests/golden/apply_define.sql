CREATE TABLE "clinic"."main"."sqlgen_in_place" (
  "zip" VARCHAR,
  "age" VARCHAR,
  "disease" VARCHAR,
  "visits" BIGINT NOT NULL
)
