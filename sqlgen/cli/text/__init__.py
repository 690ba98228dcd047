"""What people read: plans, releases, audits, searches and the ledger as plain text.

Called by the commands alone; it reads values and measures nothing.
"""
