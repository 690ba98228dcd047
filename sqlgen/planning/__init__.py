"""Planning: the best node for a policy, every minimal one, the frontier, and explanations.

Called by ``releasing``, by ``reports`` and by the command line. It changes nothing in the database.
Start at ``make_plan`` in ``plan.py``; ``lock.py`` writes and reads ``policy.lock``.
"""
