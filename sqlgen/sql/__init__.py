"""SQL as text: templates rendered with quoting, names, types, and users' own expressions.

Any room may call it; it knows no engine, no table and no guarantee.
"""
