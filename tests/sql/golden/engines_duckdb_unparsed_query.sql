SELECT JSON_DESERIALIZE_SQL(CAST('{"error": false, "statements": []}' AS JSON)) AS query
