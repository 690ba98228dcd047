SELECT
  CASE
    WHEN partitions NOT BETWEEN 1 AND 10000
      THEN system.main.error('the release has no partition, or too many; nothing was changed')
    WHEN long_folders > 0 OR long_paths > 0
      THEN system.main.error('labels are too long for the names of folders; nothing was changed')
    WHEN misread > 0
      THEN system.main.error('labels are spelled like a missing value; nothing was changed')
  END AS gate
FROM temp.main."sqlgen_partitions"
