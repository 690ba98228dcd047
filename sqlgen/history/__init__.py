"""History: all releases that are still published, read together as one observer would.

Called by ``releasing`` before COMMIT, and by audits with history. Start at ``find_published`` and
``measure_published`` in ``published.py``.
"""
