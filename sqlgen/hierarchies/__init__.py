"""Hierarchies: how the values of one column become coarser, as rules and as lists.

Called by the policy, which declares them, and by ``staging``, which proves them.
"""
