"""Files on disk: written whole or not at all, locked, and found behind links.

Any room from the engines up may call it; it knows nothing of releases.
"""
