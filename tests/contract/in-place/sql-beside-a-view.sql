-- exit: 4
-- stderr: Using policy.lock.
-- stderr: sqlgen: the database refused <template> (InvalidInputException)

