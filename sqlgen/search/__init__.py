"""Searches over the lattice; none of them knows SQL."""
