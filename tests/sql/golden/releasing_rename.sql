ALTER TABLE "clinic"."main"."sqlgen_in_place" RENAME TO "patients"
