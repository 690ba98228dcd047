-- exit: 3
-- stderr: Using policy.lock.
-- stderr: sqlgen: policy.yml:13: release.table: main.released_<now> exists already. Drop it, name another, or say --replace.

