node_class AS (
  SELECT
    *,
    COALESCE(NOT fails, FALSE) AS is_released
  FROM temp.main."sqlgen_kept"
)
