"""Text for people: plans, releases, audits, searches and the ledger as the commands print them.

Called by the commands alone. It reads values and measures nothing.
"""
