COMMENT ON TABLE "clinic"."main"."patients" IS 'who came'
