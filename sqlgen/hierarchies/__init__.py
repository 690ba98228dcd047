"""Hierarchies: how the values of one column become coarser, as rules and as lists."""
