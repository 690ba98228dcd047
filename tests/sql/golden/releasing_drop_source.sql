DROP TABLE "clinic"."main"."patients"
