"""Count and regress on a table and on its releases: what an analyst loses by each recoding.

A label is read as the middle of its interval; ``*`` and a missing category as the mean of what is
shown. The regressions are fitted on a release, and tried on the rows of the source.
"""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import pandas
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

DATABASE = Path(__file__).resolve().parent / "utility.duckdb"
RECODINGS = {"source": "", "full_domain": "_full", "local": "_local"}
# Of a coefficient: it holds those down that the rows say nothing about.
RIDGE = 1.0


@dataclass(frozen=True)
class Question:
    """What an analyst asks of a table: an outcome by groups, and by everything at once."""

    table: str
    outcome: str
    happens: str
    group: str
    numbers: tuple[str, ...]
    categories: tuple[str, ...]


QUESTIONS = (
    Question(
        "defendants", "came_back", "yes", "race", ("age", "priors"), ("race", "sex", "charge")
    ),
    Question(
        "incomes",
        "income",
        "above 50K",
        "family",
        ("age", "schooling", "hours"),
        ("family", "sex", "work"),
    ),
)


def main() -> None:
    """Print the counts and the regressions of both tables."""
    with duckdb.connect(str(DATABASE), read_only=True) as connection:
        for question in QUESTIONS:
            tables = {
                name: connection.execute(f"FROM {question.table}{ending}").df()
                for name, ending in RECODINGS.items()
            }
            print(f"{question.table}: share with {question.outcome} = {question.happens}, of rows")
            show(counted(question, tables))
            print(f"{question.table}: a logistic regression on each, tried on the source")
            show(regressed(question, tables))
    sys.stdout.flush()


def show(rows: Sequence[Sequence[str]]) -> None:
    """Print rows of words in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        line = "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True))
        print(f"  {line}".rstrip())


def counted(question: Question, tables: dict[str, pandas.DataFrame]) -> list[list[str]]:
    """The share of a group with the outcome, and its rows, group by group."""
    groups = sorted({label for table in tables.values() for label in table[question.group]})
    rows = [[question.group, *tables]]
    for group in groups:
        rows.append([group])
        for table in tables.values():
            there = table[table[question.group] == group]
            share = (there[question.outcome] == question.happens).mean()
            rows[-1].append(f"{share:.1%} of {len(there):,}" if len(there) else "none")
    return rows


def regressed(question: Question, tables: dict[str, pandas.DataFrame]) -> list[list[str]]:
    """What the regression on each table says: odds ratios, and how well it tells rows apart."""
    source = tables["source"]
    names, truth = features(question, source)[0], outcomes(question, source)
    fits = {name: fitted(question, table) for name, table in tables.items()}
    rows = [["odds ratio of", *tables]]
    for place, name in enumerate(names):
        shown = (np.ptp(features(question, table)[1][:, place]) for table in tables.values())
        rows.append([name])
        for is_shown, fit in zip(shown, fits.values(), strict=True):
            rows[-1].append(f"{np.exp(fit[place + 1]):.2f}" if is_shown else "not shown")
    scores = {name: scored(fit, features(question, source)[1]) for name, fit in fits.items()}
    right = (f"{((score > 0) == truth).mean():.1%}" for score in scores.values())
    rows.append(["rows of the source told right", *right])
    rows.append(["area under the curve", *(f"{area(s, truth):.3f}" for s in scores.values())])
    return rows


def outcomes(question: Question, table: pandas.DataFrame) -> NDArray[np.bool_]:
    """Whether each row has the outcome."""
    return np.asarray(table[question.outcome] == question.happens)


def features(question: Question, table: pandas.DataFrame) -> tuple[list[str], Numbers]:
    """The names of the features, and a row of them per row of the table."""
    names, columns = [], []
    for name in question.numbers:
        names.append(f"{name}, one more")
        columns.append(middles(table[name]))
    for name in question.categories:
        first, *others = CATEGORIES[name]
        known = np.asarray(table[name] != "*")
        for value in others:
            names.append(f"{value}, not {first}")
            column = np.asarray(table[name] == value, dtype=np.float64)
            columns.append(np.where(known, column, column[known].mean() if known.any() else 0.0))
    return names, np.column_stack(columns)


CATEGORIES = {
    "race": ("Caucasian", "African-American", "Hispanic", "Other"),
    "sex": ("female", "male"),
    "charge": ("misdemeanor", "felony"),
    "family": ("never married", "divorced", "married", "widowed"),
    "work": ("private", "government", "none", "self-employed"),
}


def middles(labels: "pandas.Series[str]") -> Numbers:
    """The number that a label stands for: the middle of an interval of whole numbers."""
    middle = {label: _middle(str(label)) for label in labels.unique()}
    found = np.array([middle[label] for label in labels], dtype=np.float64)
    unknown = np.isnan(found)
    found[unknown] = 0.0 if unknown.all() else found[~unknown].mean()
    return found


def _middle(label: str) -> float:
    ends = [float(end) for end in re.findall(r"\d+", label)]
    return sum(ends) / len(ends) - (len(ends) - 1) / 2 if ends else float("nan")


def fitted(question: Question, table: pandas.DataFrame) -> Numbers:
    """The coefficients of a logistic regression by Newton's steps, the constant first."""
    known = features(question, table)[1]
    shift, rows = known.mean(axis=0), np.ones((len(known), known.shape[1] + 1))
    rows[:, 1:] = known - shift
    truth = outcomes(question, table).astype(np.float64)
    holding = np.diag([0.0] + [RIDGE] * known.shape[1])
    found = np.zeros(rows.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (truth - chance) - holding @ found
        bend = (rows * (chance * (1 - chance))[:, None]).T @ rows + holding
        found = found + np.linalg.solve(bend, slope)
    found[0] -= found[1:] @ shift
    return np.asarray(found)


def scored(fit: Numbers, known: Numbers) -> Numbers:
    """The log-odds that a fit gives each row."""
    return np.asarray(fit[0] + known @ fit[1:])


def area(scores: Numbers, truth: NDArray[np.bool_]) -> float:
    """How often a row with the outcome scores above one without; equal scores count half."""
    ranks = pandas.Series(np.round(scores, 9)).rank().to_numpy()
    hits = int(truth.sum())
    above = ranks[truth].sum() - hits * (hits + 1) / 2
    return float(above / (hits * (len(truth) - hits)))


if __name__ == "__main__":
    main()
