"""Auditing: any table, made by any tool, measured against a policy or without one.

Called by ``releasing`` before COMMIT, by ``reports`` and the command line; it knows no plan.
"""
