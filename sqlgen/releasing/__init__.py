"""Releasing: the script that builds, audits and publishes a release, and the code that runs it.

Called by the command line and by users of Python. Everything that changes a database is here. Start
at ``release_plan`` in ``apply.py``; ``prepare.py`` and ``script.py`` make the steps that it runs.
"""
