"""The ledger: the table ``sqlgen_releases``, with a row per release.

Called by the rooms that release, audit and read releases together. Start at ``read_entries`` in
``ledger.py``; a row is written by the steps of ``new_entry.py``; ``schema.py`` has its columns.
"""
