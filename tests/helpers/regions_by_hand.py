"""Regions of the patients worked out in plain Python: who fits which, and what merging leaves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from local_nights import K, LocalNights, Shown


def labels(row: Sequence[Any]) -> list[list[str | None]]:
    """The labels of a patient, column by column and level by level."""
    zip_code, age, sex = row
    ranges = [f"[{age // width * width}, {age // width * width + width})" for width in (10, 20)]
    prefix = None if zip_code is None else zip_code[:3] + "*" * (len(zip_code) - 3)
    return [[zip_code, prefix, "*"], [str(age), *ranges, "*"], [sex, "*"]]


def expected(nights: LocalNights, fingerprint: str) -> tuple[Counter[Shown], int]:
    """What regions show of today's rows, by hand; and how many rows fit none."""
    regions, shown, unfit = nights.regions(fingerprint), Counter[Shown](), 0
    for row in nights.connection.execute("SELECT zip, age, sex FROM patients").fetchall():
        of_row = labels(row)
        fitting = (
            texts
            for levels, texts in regions
            if all(
                rungs[level] == text
                for rungs, level, text in zip(of_row, levels, texts, strict=True)
            )
        )
        first = next(fitting, None)
        unfit += first is None
        shown.update([] if first is None else [first])
    return shown, unfit


def crowd(nights: LocalNights, seed: int, rows: int = 800) -> None:
    """Other patients, unevenly spread: regions of theirs overlap, and have parents."""
    draw = random.Random(seed)
    zips = ["47600", "47600", "47601", "47605", "47700", "47799", None]
    columns = (
        [f"person {number}" for number in range(rows)],
        [draw.choice(zips) for _ in range(rows)],
        [min(int(draw.expovariate(0.06)) + 20, 79) for _ in range(rows)],
        [draw.choice("fm") for _ in range(rows)],
        [draw.choice(["flu", "cold", "gout"]) for _ in range(rows)],
        [number % 5 for number in range(rows)],
    )
    nights.connection.execute("DELETE FROM patients")
    unnested = ", ".join("UNNEST(?)" for _ in columns)
    nights.connection.execute(f"INSERT INTO patients SELECT {unnested}", columns)


@dataclass
class Box:
    """A region in Python: its parent, its levels and labels, and whether it is shown or gone."""

    parent: int | None
    levels: list[int]
    labels: Shown
    is_shown: bool
    is_gone: bool = False


def fitted(boxes: Mapping[int, Box], rows: Sequence[list[list[str | None]]]) -> list[int]:
    """The first region of each row that is shown and whose labels it has."""
    return [
        next(
            number
            for number, box in sorted(boxes.items())
            if box.is_shown
            and all(
                rungs[level] == label
                for rungs, level, label in zip(row, box.levels, box.labels, strict=True)
            )
        )
        for row in rows
    ]


def under(boxes: Mapping[int, Box], number: int) -> set[int]:
    """The regions that are shown below one."""
    below = {child for child, box in boxes.items() if box.parent == number}
    deeper = (under(boxes, child) for child in below)
    return {child for child in below if boxes[child].is_shown}.union(*deeper)


def merged_by_hand(boxes: dict[int, Box], rows: Sequence[list[list[str | None]]]) -> Counter[Shown]:
    """What is shown once regions with fewer than K rows were merged, round by round."""
    top = max(boxes) + 1
    boxes[top] = Box(None, [2, 3, 1], ("*", "*", "*"), is_shown=True)
    given_up = 1
    while True:
        sizes = Counter(fitted(boxes, rows))
        shown = Counter[Shown]()
        for number, size in sizes.items():
            shown[boxes[number].labels] += size
        if min(shown.values()) >= K:
            return shown
        failing = [number for number, size in sizes.items() if size < K and number != top]
        going: set[int] = set()
        if failing:
            finest = min(sum(boxes[number].levels) for number in failing)
            for number in failing:
                if sum(boxes[number].levels) != finest:
                    continue
                taken = under(boxes, number)
                going |= taken or {number}
                parent = boxes[number].parent
                if not taken and parent is not None and not boxes[parent].is_gone:
                    boxes[parent].is_shown = True
        else:
            going = {*sorted({*sizes} - {top})[-given_up:]}
            given_up *= 2
        for number in going:
            boxes[number].is_shown, boxes[number].is_gone = False, True
