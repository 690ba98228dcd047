"""The printed form of a ledger: a line per release, all of one, or all read together."""

from collections.abc import Sequence

from sqlgen.guarantees.base import figure_text
from sqlgen.history.joint import Joint
from sqlgen.ledger.ledger import Entry
from sqlgen.wording import aligned, classes_words, counted, rows_words


def history_text(entries: Sequence[Entry]) -> str:
    """The releases, the last one first."""
    if not entries:
        return "No release is in the ledger."
    rows = [("release", "at (UTC)", "policy", "to", "rows", "suppressed", "levels")]
    rows += [
        (
            str(entry.release_id),
            entry.released_at,
            entry.policy,
            _target(entry),
            f"{entry.released_rows:,}",
            f"{entry.suppressed_rows:,}",
            _decided(entry),
        )
        for entry in entries
    ]
    return "\n".join(line.removeprefix("  ") for line in aligned(rows))


def entry_text(entry: Entry) -> str:
    """The ledger's entry of a release, in full."""
    rows = [("guarantee", "required", "measured")]
    rows += [
        (guarantee.title, guarantee.requirement, figure_text(guarantee.measured))
        for guarantee in entry.guarantees
    ]
    return "\n".join(
        [
            f"Release {entry.release_id}, {entry.released_at}: {entry.released_rows:,} of "
            f"{rows_words(entry.source_rows)} in {classes_words(entry.classes)}, "
            f"{_target(entry)}; {rows_words(entry.suppressed_rows)} suppressed, "
            f"{rows_words(entry.masked_rows)} without sensitive values.",
            *(
                [f"New rows alone, {entry.came.words}; {_settled(entry)} had arrived by then."]
                if entry.came.is_recorded
                else ()
            ),
            *aligned(rows),
            *aligned(
                [
                    ("part", "as recorded", "fingerprint"),
                    ("policy", entry.policy, entry.policy_fingerprint),
                    ("lock", _decided(entry), entry.lock_fingerprint),
                    ("source", entry.source or "a query", entry.source_fingerprint),
                ]
            ),
            f"By sqlgen {entry.sqlgen_version} on DuckDB {entry.engine_version.lstrip('v')}.",
        ]
    )


def joint_text(joint: Joint) -> str:
    """The guarantees that are left to an attacker who holds every release."""
    if len(joint.releases) > 1:
        lines = [
            f"{len(joint.releases)} releases, read together, show {rows_words(joint.rows)} in "
            f"{counted(joint.combinations, 'combination')}:",
            *(f"  {release}" for release in joint.releases),
        ]
    else:
        only = ", ".join(joint.releases) or "no release"
        lines = [f"Nothing to read together: only {only} is still published."]
    rows = [("candidates left", "required", "fewest", "rows with fewer", "contradicted rows")]
    for size in joint.sizes:
        about = "rows" if size.unit is None else f"persons ({size.unit})"
        rows.append((about, *_figures("k", size.required, size.fewest, size.rows_below), ""))
    for value in joint.values:
        figures = _figures("l", value.required, value.fewest, value.rows_below)
        beside = f" with {', '.join(value.beside)}" if value.beside else ""
        rows.append((f"values of {value.column}{beside}", *figures, f"{value.rows_without:,}"))
    if len(joint.releases) > 1:
        lines += aligned(rows)
    for pair in joint.differences:
        lines.append(
            f"Between {pair.earlier} and {pair.later}, in classes of both: "
            f"{rows_words(pair.rows_came)} joined, {pair.rows_went:,} left; {pair.exposed_rows:,} "
            "can be singled out."
        )
    if joint.apart:
        lines.append(
            f"{counted(len(joint.apart), 'release')} "
            f"{'has' if len(joint.apart) == 1 else 'have'} no row in common with another."
        )
    lines += [f"Left out: {words}: {why}." for words, why in joint.left_out]
    lines += [f"Cannot be judged: {words}: {why}." for words, why in joint.unjudged]
    lines += [
        f"Not measured: {series} as a whole against {other} as a whole; each release of one was "
        "compared with each of the other."
        for series, other in joint.not_measured
    ]
    verdict = "The policy is met jointly." if joint.satisfied else "The policy is not met jointly."
    lines.append(verdict if joint.mode != "off" else "joint: off, so this is not judged.")
    return "\n".join(lines)


def _figures(
    letter: str, required: int | None, fewest: int | None, below: int
) -> tuple[str, str, str]:
    asked = "" if required is None else f"{letter} >= {required:,}"
    return asked, "" if fewest is None else f"{fewest:,}", "" if not asked else f"{below:,}"


def _settled(entry: Entry) -> str:
    return "an unknown number" if entry.settled_rows is None else f"{entry.settled_rows:,}"


def _decided(entry: Entry) -> str:
    """The level of each column; the recoding where levels alone do not say what was released."""
    if entry.levels is None or entry.recoding in ("anatomy", "microaggregation"):
        return entry.recoding
    return " ".join(f"{column}={level}" for column, level in entry.levels.items())


def _target(entry: Entry) -> str:
    if entry.target_kind == "in_place":
        return f"in place of {entry.target}"
    return f"{entry.target_kind} {entry.target}"
