"""The page of an evidence: plots are drawn, and the template is filled in."""

import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from sqlgen.errors import RefusedError
from sqlgen.files.atomic import write_whole
from sqlgen.files.destinations import find_destination
from sqlgen.guarantees.base import figure_text
from sqlgen.ledger.ledger import Entry
from sqlgen.ledger.schema import moment
from sqlgen.measuring.histograms import Bin, number
from sqlgen.reports import Evidence, ReportedGuarantee
from sqlgen.reports.model import target_of
from sqlgen.reports.plots import bars_svg, spread_svg
from sqlgen.wording import counted, objective_words, share_words

_FOLDER = Path(__file__).parent
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_MADE_BY = b'<meta name="generator" content="sqlgen">'


def page_html(evidence: Evidence) -> str:
    """A page that loads nothing and runs nothing; the same evidence gives the same bytes."""
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "share": share_words,
        "whole": lambda count: f"{count:,}",
        "figure": objective_words,
        "counted": counted,
        "breakable": breakable,
        "signs": signs,
    }
    promises = evidence.guarantees
    others = [
        {"entry": other, "target": _target(other), "at": _when(other)} for other in evidence.others
    ]
    return environment.get_template("page.html.jinja").render(
        evidence=evidence,
        entry=evidence.entry,
        style=Markup((_FOLDER / "page.css").read_text(encoding="utf-8")),
        verdict=_verdict(evidence),
        target=_target(evidence.entry),
        released=_when(evidence.entry),
        sizes=[_row(siz, bin_words(siz, whole=True)) for siz in evidence.sizes],
        sizes_plot=_sizes_plot(evidence),
        spread_plots=[
            {
                "promise": promise,
                "plot": _spread_plot(place, promise),
                "bins": [
                    _row(part, bin_words(part, whole=promise.whole)) for part in promise.spread
                ],
            }
            for place, promise in enumerate(promises, 1)
            if any(part.below is not None for part in promise.spread)
        ],
        loss_plot=_loss_plot(evidence),
        objectives=_objectives(evidence),
        attack_definitions=list(dict.fromkeys(attack.definition for attack in evidence.attacks)),
        attacks_plot=_attacks_plot(evidence),
        others=others,
    )


def bin_words(bin_: Bin, *, whole: bool) -> str:
    """The bounds of a bin; of whole numbers, the first and the last."""
    least = figure_text(number(bin_.least))
    if bin_.below is None:
        return f"{least} or more"
    if not whole:
        return f"{least} to under {figure_text(number(bin_.below))}"
    last = number(bin_.below) - 1
    return least if last == number(bin_.least) else f"{least}–{figure_text(last)}"


def breakable(text: str) -> Markup:
    """A long name that may break after each underscore."""
    return Markup("_<wbr>").join(text.split("_"))


def signs(required: str) -> str:
    """A requirement with the signs that are printed, which do not stand at the end of a line."""
    printed = required.replace("<=", "≤").replace(">=", "≥")
    return re.sub(r" ([≤≥<]) ", "\u00a0\\1\u00a0", printed)


def _verdict(evidence: Evidence) -> dict[str, str]:
    """The verdict as a sentence, with a mark and a word for the style."""
    if evidence.satisfied is None:
        words = "Not measured now: the release does not stand any more"
        return {"kind": "unknown", "mark": "–", "words": words}
    if not evidence.satisfied:
        words = "The release does not give what the policy promises"
        return {"kind": "broken", "mark": "✗", "words": words}
    words = "The release gives what the policy promises"
    if any(guarantee.differs for guarantee in evidence.guarantees):
        words += ", with other figures than recorded"
    if evidence.uniqueness.warnings:
        words += f".{evidence.uniqueness.unbounded_words}"
        return {"kind": "unknown", "mark": "!", "words": words}
    return {"kind": "met", "mark": "✓", "words": words}


def _target(entry: Entry) -> str:
    called = target_of(entry)
    return (
        f"in place of {called}"
        if entry.target_kind == "in_place"
        else (f"{entry.target_kind} {called}")
    )


def _when(entry: Entry) -> str:
    """The time of a release: 18 November 2026, 23:37 UTC."""
    at = moment(entry.released_at)
    if at is None:
        return entry.released_at
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}, {at:%H:%M} UTC"


def _row(bin_: Bin, words: str) -> dict[str, str | int]:
    return {"words": words, "classes": bin_.classes, "rows": bin_.rows}


def _objectives(evidence: Evidence) -> list[tuple[str, float]]:
    """The figures of all objectives, the plan's own first."""
    figures = sorted(evidence.objectives.items(), key=lambda item: item[0] != evidence.objective)
    return [(name, figure) for name, figure in figures]


def _sizes_plot(evidence: Evidence) -> Markup | None:
    if not evidence.sizes or not evidence.rows:
        return None
    bars = [
        (bin_words(siz, whole=True), siz.rows, share_words(siz.rows / evidence.rows))
        for siz in evidence.sizes
    ]
    description = "; ".join(
        f"{counted(siz.rows, 'row')} in classes of {bin_words(siz, whole=True)}"
        for siz in evidence.sizes
    )
    return bars_svg("sizes", "Rows by the size of their class", description, bars)


def _spread_plot(place: int, promise: ReportedGuarantee) -> Markup:
    words = [bin_words(spread_bin, whole=promise.whole) for spread_bin in promise.spread]
    description = "; ".join(
        f"{counted(spread_bin.rows, 'row')} at {said}"
        for spread_bin, said in zip(promise.spread, words, strict=True)
        if spread_bin.rows
    )
    title = f"Rows by {promise.about} of their class, {promise.required}"
    if promise.whole:
        bars = [
            (said, spread_bin.rows, f"{spread_bin.rows:,}")
            for spread_bin, said in zip(promise.spread, words, strict=True)
        ]
        return bars_svg(f"spread-{place}", title, description, bars)
    return spread_svg(
        f"spread-{place}", title, description, promise.spread, promise.bound, _axis(promise)
    )


def _axis(promise: ReportedGuarantee) -> str:
    """The name of a guarantee's figure, as its requirement says it."""
    called = promise.required.replace("<=", "|").replace(">=", "|").replace("<", "|")
    return f"{called.split('|')[0].strip()} of the class" if "|" in called else "of the class"


def _loss_plot(evidence: Evidence) -> Markup | None:
    lost = [(column.name, column.loss) for column in evidence.columns if column.loss is not None]
    if not lost:
        return None
    description = "; ".join(f"{name} {share_words(loss)}" for name, loss in lost)
    bars = [(name, loss, share_words(loss)) for name, loss in lost]
    return bars_svg("loss", "What each column lost", description, bars, full=1)


def _attacks_plot(evidence: Evidence) -> Markup | None:
    open_to: list[tuple[str, float]] = [
        (attack.about, attack.share) for attack in evidence.attacks if attack.share is not None
    ]
    if not any(part for _, part in open_to):
        return None
    description = "; ".join(f"{about} {share_words(part)}" for about, part in open_to)
    bars = [(about, part, share_words(part)) for about, part in open_to]
    return bars_svg("attacks", "Rows that an attacker could learn of", description, bars, full=1)


def write_page(page: str, path: Path) -> None:
    """Write a page in one step: a reader sees the old one or the new one, after a crash too.

    Refused where something else than such a page has the name, or is behind a link that has it.
    """
    try:
        # Its kind first: to read a pipe would wait for somebody to write to it.
        destination = find_destination(path, path.name)
        if destination.exists and not _is_page(destination.path):
            raise RefusedError(
                f"{path.name}: something else than a report is there. Remove it, or name another "
                "file with --out. Nothing was changed."
            )
        write_whole(page, path)
    except OSError as error:
        raise RefusedError(
            f"{path.name}: the page cannot be written ({type(error).__name__})"
        ) from None


def _is_page(path: Path) -> bool:
    with path.open("rb") as standing:
        return _MADE_BY in standing.read(1000)
