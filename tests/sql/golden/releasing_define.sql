CREATE TABLE "clinic"."main"."patients" (
  "zip" VARCHAR,
  "age" VARCHAR,
  "disease" VARCHAR,
  "visits" BIGINT NOT NULL
)
