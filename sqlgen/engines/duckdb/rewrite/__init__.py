"""A DuckDB file written anew, so that no block of it holds what a release replaced.

Called by ``releasing.scrub`` alone.
"""
