ALTER TABLE "clinic"."main"."patients" ADD COLUMN "sqlgen_barrier" BOOLEAN
