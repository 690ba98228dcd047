"""The ledger: the table of releases beside them, read and written, and what its entries say.

Called by the rooms that release, audit and read releases together.
"""
