"""Text for people: plans, releases, audits, searches and the ledger as the commands print them.

Called by the commands alone; it reads values and measures nothing.
"""
