"""Hierarchies: how the values of one column become coarser, by a rule or by a list.

Called by ``policy``, which reads them, and by ``staging``, which checks them on the table. Rules
are in ``rules.py``, lists in ``lists.py``; a ``Ladder`` is either of them for one column.
"""
