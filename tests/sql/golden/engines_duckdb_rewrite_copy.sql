COPY FROM DATABASE "clinic" TO "sqlgen_fresh" (SCHEMA)
