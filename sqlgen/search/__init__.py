"""Search: the lattice of generalizations, and walks over it that ask for verdicts and costs.

Called by ``planning``; it is plain Python over numbers and knows no SQL.
"""
