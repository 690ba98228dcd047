"""A hierarchy file that cannot be read is told which line is wrong, and what to do."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from sqlgen import make_plan, read_policy
from sqlgen.errors import HierarchyError

LONG = b"y" * 3_000_000
LINE_ENDS = "Save the file with one kind of line end"
FAULTS = {
    "CR LF after LF": (b"a;x\nb;y\r\n", f"line 2 ends in CR LF, and line 1 in LF. {LINE_ENDS}"),
    "LF after CR LF": (b"a;x\r\nb;y\n", f"line 2 ends in LF, and line 1 in CR LF. {LINE_ENDS}"),
    "CR after LF": (b"a;x\nb;y\rc;z\n", f"line 2 ends in CR, and line 1 in LF. {LINE_ENDS}"),
    "LF after CR": (b"a;x\rb;y\nc;z\r", f"line 2 ends in LF, and line 1 in CR. {LINE_ENDS}"),
    "the last of many": (
        b"a;x\n" * 5000 + b"b;y\r\n",
        f"line 5,001 ends in CR LF, and line 1 in LF. {LINE_ENDS}",
    ),
    "an empty line": (b"\r\na;x\nb;y\n", f"line 2 ends in LF, and line 1 in CR LF. {LINE_ENDS}"),
    "a long label": (
        b"a;x\nb;" + LONG + b"\n",
        "line 2 has 3,000,002 bytes, and no line may have more than 2,000,000. Shorten its label",
    ),
    "a line too long": (
        b"a;x\nb;y;z\n",
        "line 2 has 3 fields, and line 1 has 2. Give each line a value and all levels",
    ),
    "after a text of two lines": (
        b'a;"x\nx"\n"b";y;z\n',
        "line 3 has 3 fields, and line 1 has 2. Give each line a value and all levels",
    ),
    "not UTF-8": (b"a;x\nb;\xff\n", "line 2 is not UTF-8. Save the file as UTF-8"),
    "another end in the first text": (
        b'a;"x\r\nx"\nb;"y\ry"\n',
        "line 1 holds CR LF in a text in quotes, and ends in LF. Write the same in both",
    ),
    "an open quote": (b'a;x\nb;"y\n', "line 2 opens a quote that nothing closes"),
    "after a quote": (
        b'a;x\nb;"y"z\n',
        "line 2 has more in a field after its closing quote. Write a quote inside of a text twice",
    ),
}
GOOD = {
    "LF": b"a;x\nb;y\n",
    "CR LF": b"a;x\r\nb;y\r\n",
    "CR": b"a;x\rb;y\r",
    "no end at last": b"a;x\r\nb;y",
    "a mark": b'\xef\xbb\xbf"a";x\nb;y\n',
    "another end in a text": b'a;x\nb;"y\r\ny"\n',
    "quotes in a text": b'a;"x ""x"" ; x"\nb;y"z\n',
    "empty lines": b"a;x\n\nb;y\n",
}


def plan(folder: Path, content: bytes, *, both: bool = False) -> None:
    (folder / "list.csv").write_bytes(content)
    hierarchy = {"csv": str(folder / "list.csv"), "delimiter": ";"}
    quasi = {"role": "quasi", "hierarchy": hierarchy}
    other = quasi if both else {"role": "sensitive", "hierarchy": hierarchy}
    policy = read_policy(
        {
            "source": {"query": "SELECT UNNEST(['a', 'b']) AS v, 'a' AS w"},
            "columns": {"v": quasi, "w": other},
            "guarantees": [{"k_anonymity": {"k": 2}}],
        }
    )
    with duckdb.connect() as connection:
        make_plan(policy, connection)


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("case", FAULTS)
def test_a_list_that_cannot_be_read_is_told_its_line(case: str, both: bool, tmp_path: Path) -> None:
    content, words = FAULTS[case]
    with pytest.raises(HierarchyError) as caught:
        plan(tmp_path, content, both=both)
    # Both columns have the list, a quasi-identifier or a sensitive one.
    assert str(caught.value).split("\n") == [
        *(f"policy: columns.{name}.hierarchy: list.csv cannot be read: {words}." for name in "vw"),
        "Nothing was changed.",
    ]


@pytest.mark.parametrize("case", GOOD)
def test_a_list_that_can_be_read_is_read(case: str, tmp_path: Path) -> None:
    plan(tmp_path, GOOD[case])


def test_no_field_of_a_list_is_told(tmp_path: Path) -> None:
    with pytest.raises(HierarchyError) as caught:
        plan(tmp_path, b"a;x\nb;SECRET\xff\n")
    assert "SECRET" not in str(caught.value)
