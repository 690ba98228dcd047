COMMENT ON TABLE "memory"."main"."shown_zip_labels" IS 'sqlgen: labels of the view "shown"'
