"""Plots as pieces of SVG: drawn by matplotlib, coloured by the page, the same bytes each time.

Colours are marked while a plot is drawn and left to the page's style afterwards, so that one plot
serves light and dark screens and paper.
"""

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sqlgen.errors import UnsupportedError
from sqlgen.guarantees.base import figure_text
from sqlgen.measuring.histograms import Bin

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Drawn in these, replaced by what the page calls them.
_INK, _BAR, _LIMIT, _FAINT = "#010101", "#020202", "#030303", "#040404"
_PAGE = {
    _INK: "currentColor",
    _BAR: "var(--bar)",
    _LIMIT: "var(--limit)",
    _FAINT: "var(--line)",
}
_WIDTH = 4.6
_LONG = 20
_STYLE = {
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "font.size": 10.5,
    "axes.edgecolor": _FAINT,
    "axes.labelcolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": _INK,
    # A name with dollar signs is a name, and no formula.
    "text.parse_math": False,
    "xtick.color": _FAINT,
    "ytick.color": _FAINT,
    "xtick.labelcolor": _INK,
    "ytick.labelcolor": _INK,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}
_NOTHING = {"Date": None, "Creator": None, "Format": None, "Type": None}


def check_plots() -> None:
    """Refuse where the library that draws is not installed."""
    try:
        import matplotlib  # noqa: F401, PLC0415
    except ImportError:
        raise UnsupportedError(
            "the page's plots are drawn by matplotlib, which is not installed: pip install "
            '"sqlgen-anonymizer[report]". sqlgen report --json needs none'
        ) from None


def bars_svg(
    key: str,
    title: str,
    description: str,
    bars: Sequence[tuple[str, float, str]],
    full: float | None = None,
) -> Markup:
    """Horizontal bars: a label, a length, and what stands at the end of each.

    A bar of the length ``full`` fills the width; by default the longest does. Shares are drawn to
    the scale of 1, so that a small one looks small.
    """
    labels = [label for label, _, _ in bars]
    places = range(len(bars))
    lengths = [length for _, length, _ in bars]
    longest = full or max(lengths, default=0) or 1
    # Long labels stand above their bars, or they would leave them no room.
    above = max(map(len, labels), default=0) > _LONG
    with _figure(key, 0.15 + (0.5 if above else 0.29) * len(bars)) as (figure, axes):
        axes.barh(list(places), lengths, height=0.4 if above else 0.68, color=_BAR)
        axes.set_yticks(list(places), [""] * len(bars) if above else labels)
        axes.set_ylim(len(bars) - (0.7 if above else 0.45), -0.8 if above else -0.55)
        axes.set_xlim(0, longest * (1.2 if above else 1.34))
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)
        axes.tick_params(length=0)
        for place, (label, length, words) in zip(places, bars, strict=True):
            axes.text(length + longest * 0.015, place, words, va="center")
            if above:
                axes.text(longest * 0.005, place - 0.27, label, va="bottom")
        return _svg(figure, key, title, description)


def spread_svg(
    key: str,
    title: str,
    description: str,
    bins: Sequence[Bin],
    bound: float | None,
    figure_name: str,
) -> Markup:
    """Rows by what was measured of their class, with the limit as a line."""
    closed = [bin_ for bin_ in bins if bin_.below is not None]
    with _figure(key, 2.6) as (figure, axes):
        edges = [(float(closed_bin.least), float(closed_bin.below or 0)) for closed_bin in closed]
        low, high = edges[0][0], edges[-1][1]
        widths = [above - least for least, above in edges]
        axes.bar(
            [least for least, _ in edges],
            [closed_bin.rows for closed_bin in closed],
            [width * 0.94 for width in widths],
            align="edge",
            color=_BAR,
        )
        most = max((closed_bin.rows for closed_bin in closed), default=0) or 1
        axes.set_ylim(0, most * 1.22)
        beyond = [bin_ for bin_ in bins if bin_.below is None]
        if beyond and beyond[0].rows:
            width = (high - low) * 0.05
            axes.bar(
                [high + width], [beyond[0].rows], [width], align="edge", color=_BAR, hatch="///"
            )
            axes.set_ylim(0, max(most, beyond[0].rows) * 1.22)
            high += 2 * width
        if bound is not None and low <= bound <= high:
            axes.axvline(bound, color=_LIMIT, linewidth=1.6, linestyle=(0, (4, 2)))
            right = bound > (low + high) / 2
            axes.annotate(
                f"limit {figure_text(bound)}",
                (bound, 1),
                xycoords=("data", "axes fraction"),
                xytext=(-4 if right else 4, -2),
                textcoords="offset points",
                ha="right" if right else "left",
                va="top",
            )
        axes.set_xlim(low, high)
        axes.set_xlabel(figure_name)
        axes.set_ylabel("rows")
        axes.locator_params(axis="x", nbins=6)
        axes.locator_params(axis="y", nbins=5, integer=True)
        axes.yaxis.set_major_formatter(lambda rows, _: f"{rows:,.0f}")
        return _svg(figure, key, title, description)


@contextmanager
def _figure(key: str, height: float) -> Iterator[tuple["Figure", "Axes"]]:
    """A figure of our own style, whatever the user's is."""
    import matplotlib as mpl  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    with mpl.rc_context(), warnings.catch_warnings():
        # The page's fonts draw the text, so that the layout's may lack a letter.
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        mpl.rcdefaults()
        parameters: Any = mpl.rcParams
        parameters.update(_STYLE, **{"svg.hashsalt": key})
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        yield figure, figure.add_subplot()


def _svg(figure: "Figure", key: str, title: str, description: str) -> Markup:
    """The figure as SVG inside a page: no prolog, no address, names of its own."""
    written = io.StringIO()
    figure.savefig(written, format="svg", metadata=_NOTHING)
    text = written.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    box = re.search(r'viewBox="([^"]+)"', text)
    assert box is not None
    text = re.sub(r"\A<svg[^>]*>", "", text).replace("xlink:href", "href")
    used = set(re.findall(r"#([\w-]+)\)", text)) | set(re.findall(r'href="#([\w-]+)"', text))
    text = re.sub(
        r' id="([^"]+)"',
        lambda match: f' id="{key}-{match[1]}"' if match[1] in used else "",
        text,
    )
    text = re.sub(r'(url\(#|href="#)', rf"\g<1>{key}-", text)
    for drawn, called in _PAGE.items():
        text = text.replace(drawn, called)
    head = (
        f'<svg viewBox="{box[1]}" role="img" aria-labelledby="{key}-title {key}-told">\n'
        f'<title id="{key}-title">{escape(title)}</title>\n'
        f'<desc id="{key}-told">{escape(description)}</desc>'
    )
    return Markup(head + text.rstrip() + "\n")
