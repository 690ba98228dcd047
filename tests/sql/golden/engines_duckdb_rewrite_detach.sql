DETACH "sqlgen_fresh"
