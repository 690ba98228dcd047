"""Planning: the best node for a policy, every minimal one, the frontier, and why.

Called by ``releasing``, ``reports`` and the command line; it changes nothing.
"""
