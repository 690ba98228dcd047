SELECT
  table_catalog,
  table_schema,
  table_name,
  CASE WHEN table_type = 'VIEW' THEN 'view' ELSE 'table' END AS kind
FROM information_schema.tables
WHERE TRANSLATE(table_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'patients'
  AND (table_catalog = 'temp' OR (table_catalog = CURRENT_DATABASE() AND table_schema = CURRENT_SCHEMA()))
  AND NOT (table_catalog = 'temp' AND STARTS_WITH(LOWER(table_name), 'sqlgen_'))
ORDER BY CASE WHEN table_catalog = 'temp' THEN 0 ELSE 1 END ASC, table_catalog ASC, table_schema ASC
LIMIT 1
