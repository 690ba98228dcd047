SELECT name, value
FROM (
  VALUES
    ('Calendar', CAST(system.main.current_setting('Calendar') AS VARCHAR), 'gregorian'),
    ('dialect_compatibility_mode', CAST(system.main.current_setting('dialect_compatibility_mode') AS VARCHAR), 'none'),
    ('explain_output', CAST(system.main.current_setting('explain_output') AS VARCHAR), 'physical_only'),
    ('integer_division', CAST(system.main.current_setting('integer_division') AS VARCHAR), 'false')
) AS setting (name, value, expected)
WHERE system.main.lower(value) IS DISTINCT FROM expected
