SELECT COUNT(*) AS row_count
FROM patients AS source
WHERE written < '2024-02-26'
