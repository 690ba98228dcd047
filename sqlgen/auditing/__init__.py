"""Auditing: any table, made by any tool, measured against a policy or without one.

Called by ``releasing`` before COMMIT, by ``reports`` and by the command line. It knows no plan.
Start at ``audit_within`` in ``audit.py``; ``check.py`` needs no policy.
"""
