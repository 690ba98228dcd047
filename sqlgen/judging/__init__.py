"""Judging: SQL that says for each class whether it meets each guarantee, and by which figure.

Called by the rooms that measure nodes, tables and releases. It renders SQL and runs none. Start at
``verdict_sql`` in ``verdict_sql.py``: it calls ``Guarantee.verdict``.
"""
