"""Recodings: ways to make a release from a table; today full-domain generalization.

Called by ``planning`` for a decision and by ``releasing`` for the statements that build it.
"""
