"""Releasing: the script that builds, audits and publishes a release, and who runs it.

Called by the command line and by users of Python; all that changes a database is here.
"""
