"""Files on disk: written whole or not at all, locked, and found behind symbolic links.

Any room from the engines up may call it. It knows nothing of releases.
"""
