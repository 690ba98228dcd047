"""Search: the lattice of generalizations, and searches over it that ask for verdicts and costs.

Called by ``planning`` and ``recodings``; other rooms use its nodes and costs. It is plain Python
over numbers and knows no SQL. Start at ``find_optimal`` in ``optimal.py``.
"""
