"""Ranges and sets of a column's values: how a label spells one, and which leaves it stands for.

A range is ``[lo, hi]``: both are values of the column, and it holds all leaves from the one to the
other in the column's order. A set is ``{a, b}``. Numbers and dates are ordered as they are, text by
its labels from the level below the top down to the value; NULL comes before all others.
"""

from collections.abc import Sequence

from markupsafe import Markup

from sqlgen.hierarchies.ladder import Ladder
from sqlgen.sql.render import each, fragment, sql
from sqlgen.staging.people import is_float, label_text_fragment

# A value's name in a range or a set, as a regular expression: in quotes, or without what they need.
NAME_IN_SPAN = Markup(r'"(?:[^"]|"")*"|[^",\[\]{}]+')


def spelled(text: Markup) -> Markup:
    """A value's text as a range or a set names it: quoted where it could be read otherwise."""
    return fragment("staging/spelled", text=text)


def value_order(ladder: Ladder, labels: Sequence[Markup]) -> list[Markup]:
    """The expressions that order the leaves of a ladder, each ascending with NULL first.

    ``labels`` has the label at each level below the top, from the value itself on.
    """
    value = labels[0]
    if not ladder.column.is_text:
        return [value]
    is_value = sql("{value} IS NOT NULL", value=value)
    return [is_value, *each(reversed(labels), "{} COLLATE C")]


def leaves_fragment(ladder: Ladder, relation: Markup) -> Markup:
    """A relation: the leaves of a ladder over a relation, as ranges and sets are read on them.

    It gives ``value``, ``text``, ``labels`` (a list, from the value itself to the top) and
    ``place``, which is NULL for values that may not be released. Leaves that only the hierarchy's
    list has are there.
    """
    labels = [
        label_text_fragment(ladder.label(level), is_float=is_float(ladder))
        for level in range(ladder.height + 1)
    ]
    return fragment(
        "staging/placed",
        labels=labels,
        order=value_order(ladder, [ladder.label(level) for level in range(ladder.height)]),
        labelled=ladder.labelled(relation),
        is_kept=ladder.is_kept,
    )


def segments_fragment(labels: Markup, leaves: Markup, by: Sequence[str] = ()) -> Markup:
    """A relation: ``label``, ``first_place`` and ``last_place`` of each range, and of each member
    of a set.

    ``labels`` is a relation with ``label``, ``leaves`` one with ``text`` and ``place``. Both are
    told apart by the columns ``by``, which come along. Labels that are no range and no set of these
    leaves are left out; a leaf without a place is no end and no member.
    """
    return fragment(
        "staging/segments",
        labels=labels,
        leaves=leaves,
        by=each(by, "{:ident}"),
        name=NAME_IN_SPAN,
        spelled=spelled(Markup("text")),
    )


def spanned_fragment(labels: Markup, leaves: Markup, by: Sequence[str] = ()) -> Markup:
    """A relation: ``label``, ``value`` and ``place`` of each leaf that a range or a set holds.

    It reads what ``segments_fragment`` reads, and ``value`` of the leaves.
    """
    return fragment(
        "staging/spanned",
        segments=segments_fragment(labels, leaves, by),
        leaves=leaves,
        by=each(by, "{:ident}"),
    )
