STRFTIME(released_at, '%Y-%m-%dT%H:%M:%SZ') AS released_at
