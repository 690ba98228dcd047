"""SQL as text: templates rendered with quoting, names, types, and users' own expressions.

Any room may call it; it knows no table and no guarantee. Start at ``statement`` and ``fragment`` in
``render.py``; ``step.py`` has the steps of a script.
"""
