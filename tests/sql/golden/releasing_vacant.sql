SELECT CASE WHEN COUNT(*) > 0 THEN system.main.error('the folder of the release has files in it; nothing was changed') END AS guard
FROM GLOB('/folder/released.sqlgen-partial/**')
