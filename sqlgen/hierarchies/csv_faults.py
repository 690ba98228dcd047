"""Faults of a hierarchy file that the database cannot read: the first one, by its line."""

import mmap
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_LINE_ENDS = {b"\n": "LF", b"\r\n": "CR LF", b"\r": "CR"}
_MARK = b"\xef\xbb\xbf"
# The engine reads no longer line.
_MOST_BYTES = 2_000_000


@dataclass(frozen=True)
class _Record:
    """One record of a file: its first line, its bytes, its fields, how it ends, and its fault.

    ``inside`` is the first line end in a text in quotes.
    """

    line: int
    start: int
    end: int
    fields: int
    line_end: bytes
    inside: bytes = b""
    fault: str = ""


def csv_fault(path: Path, delimiter: str) -> str:
    """The fault of a file of values and levels, in words; "" where there is none.

    The file is looked at here only after the database has refused it, and no field is told.
    """
    try:
        with (
            path.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
        ):
            return _first_fault(content, delimiter)
    except (OSError, ValueError):
        return ""


def _first_fault(content: mmap.mmap, delimiter: str) -> str:
    first: _Record | None = None
    ended: _Record | None = None
    inside = ""
    for record in _records(content, delimiter.encode()):
        size = record.end - record.start
        if record.fault:
            return f"line {record.line:,} {record.fault}"
        if size > _MOST_BYTES:
            return (
                f"line {record.line:,} has {size:,} bytes, and no line may have more than "
                f"{_MOST_BYTES:,}. Shorten its label"
            )
        if not _is_text(content[record.start : record.end]):
            return f"line {record.line:,} is not UTF-8. Save the file as UTF-8"
        if ended is not None and record.line_end not in (b"", ended.line_end):
            return (
                f"line {record.line:,} ends in {_LINE_ENDS[record.line_end]}, and line "
                f"{ended.line:,} in {_LINE_ENDS[ended.line_end]}. Save the file with one kind of "
                "line end"
            )
        ended = ended or record
        if record.inside not in (b"", ended.line_end) and not inside:
            inside = (
                f"line {record.line:,} holds {_LINE_ENDS[record.inside]} in a text in quotes, and "
                f"ends in {_LINE_ENDS.get(record.line_end, 'none')}. Write the same in both"
            )
        if not size:
            continue
        if first is not None and record.fields != first.fields:
            return (
                f"line {record.line:,} has {record.fields:,} fields, and line {first.line:,} has "
                f"{first.fields:,}. Give each line a value and all levels"
            )
        first = first or record
    # The database reads such a file or not, as it comes; what else is wrong is surely the reason.
    return inside


def _records(content: mmap.mmap, delimiter: bytes) -> Iterator[_Record]:
    """The records of a file, in which a text in quotes may hold delimiters and line ends."""
    start = field = len(_MARK) if content[: len(_MARK)] == _MARK else 0
    line, lines_inside, fields, inside = 1, 0, 1, b""
    opened = closed = -1
    for found in re.finditer(rb'"|\r\n|\n|\r|' + re.escape(delimiter), content):
        token, place = found[0], found.start()
        if opened >= 0:
            if token in _LINE_ENDS:
                lines_inside, inside = lines_inside + 1, inside or token
            if token == b'"':
                # Two quotes are one in the text: the second opens it again.
                opened, closed = -1, found.end()
            continue
        if token == b'"':
            if place in (field, closed):
                opened = place
            continue
        if 0 <= closed != place and closed > field:
            yield _Record(line, start, place, fields, b"", inside, _AFTER_QUOTE)
            return
        field = found.end()
        closed = -1
        fields += 1
        if token in _LINE_ENDS:
            yield _Record(line, start, place, fields - 1, token, inside)
            line += 1 + lines_inside
            start, fields, lines_inside, inside = field, 1, 0, b""
    if start < len(content):
        fault = "opens a quote that nothing closes" if opened >= 0 else ""
        yield _Record(line, start, len(content), fields, b"", inside, fault)


_AFTER_QUOTE = "has more in a field after its closing quote. Write a quote inside of a text twice"


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
