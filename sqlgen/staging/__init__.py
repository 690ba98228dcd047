"""Staging: the table read once into cells, labels and ladders, and its hierarchies checked.

Called by the rooms that measure, plan, release and audit. The search reads staged tables and never
the source. ``read_inputs`` in ``inputs.py`` finds the source and its ladders; ``stage`` in
``stage.py`` makes the cells.
"""
