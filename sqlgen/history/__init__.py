"""History: the releases that still stand, read together as an observer of all would.

Called by ``releasing`` before COMMIT and by audits with history.
"""
