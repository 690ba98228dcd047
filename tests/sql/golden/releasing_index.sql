CREATE INDEX "by_zip" ON "clinic"."main"."patients"(zip)
