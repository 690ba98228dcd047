"""The command line: arguments, printing and exit codes.

Called by the ``sqlgen`` command alone; nothing is decided here. Start at ``main.py``.
"""
