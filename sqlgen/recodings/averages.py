"""Means and medians: what regions of cuts show in a column that keeps its type.

k-anonymity by microaggregation of the quasi-identifiers (Domingo-Ferrer and Torra 2005). Sums are
of whole numbers: of numbers without their point, of dates as days. A mean is rounded to the
column's last digit, halves to even; of an even number of rows the median is the lower one. A region
with a value that is no number (NULL, NaN, an infinity) beside others has neither: it shows NULL.
"""

from markupsafe import Markup

from sqlgen.recodings.cuts import CUT_AVERAGE, CUT_CELL, CUT_LEFT, CUT_PLACE, CutForm
from sqlgen.sql.render import Statement, each, joined, sql, statement

_DAY_0 = "DATE '1970-01-01'"


def averages_sql(form: CutForm) -> list[Statement]:
    """The statement that works out regions' means and medians, where some are shown."""
    averaged = form.cells.averaged
    if not averaged:
        return []
    means = [number for number in averaged if form.shows[number - 1] == "mean"]
    scales = [(number, form.scales[number - 1]) for number in means]
    amounts = [(number, _amount(scale)) for number, scale in scales]
    texts = [(number, _mean_text(scale)) for number, scale in scales]
    made = statement(
        "recodings/average_span",
        table=CUT_AVERAGE,
        left=CUT_LEFT,
        cells=CUT_CELL,
        place=CUT_PLACE,
        averaged=averaged,
        amount=_by_column("quasi", amounts, Markup("CAST(NULL AS HUGEINT)")),
        average=_by_column("averaged.quasi", texts, Markup("averaged.median")),
    )
    return [made]


def _by_column(quasi: str, cases: list[tuple[int, Markup]], otherwise: Markup) -> Markup:
    """An expression of each column's own, and another one for all others."""
    if not cases:
        return otherwise
    whens = joined(each(cases, "WHEN {0:literal} THEN {1}"), " ")
    pattern = "CASE {quasi} {whens} ELSE {otherwise} END"
    return sql(pattern, quasi=Markup(quasi), whens=whens, otherwise=otherwise)


def _amount(scale: int | None) -> Markup:
    """A value as a whole number, read from its text."""
    if scale is None:
        return sql("CAST(CAST(text AS DATE) - {day} AS HUGEINT)", day=Markup(_DAY_0))
    return Markup("CAST(REPLACE(text, '.', '') AS HUGEINT)")


def _mean_text(scale: int | None) -> Markup:
    """A mean as the text of a value of its column."""
    if scale is None:
        day = "CAST({day} + CAST(averaged.mean AS INTEGER) AS VARCHAR)"
        return sql(day, day=Markup(_DAY_0))
    if not scale:
        return Markup("CAST(averaged.mean AS VARCHAR)")
    digits = "LPAD(CAST(ABS(averaged.mean) AS VARCHAR), CAST(GREATEST({scale} + 1, "
    digits += "LENGTH(CAST(ABS(averaged.mean) AS VARCHAR))) AS INTEGER), '0')"
    pattern = "CASE WHEN averaged.mean < 0 THEN '-' ELSE '' END || LEFT({digits}, "
    pattern += "LENGTH({digits}) - {scale}) || '.' || RIGHT({digits}, {scale})"
    return sql(pattern, digits=sql(digits, scale=scale), scale=scale)
