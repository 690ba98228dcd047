"""Fenced blocks of a Markdown page: commands after ``$`` with their output, and files to write.

A page is read from its top. A block with a title (``yaml title="policy.yml"``) is written as that
file, a console block is run where the one before it ended. In the output of a command a line
``...`` stands for lines that are left out.
"""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

FENCE = re.compile(
    r"^```(?P<language>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
LEFT_OUT = "..."


@dataclass(frozen=True)
class Shown:
    """A command of a console block and the output printed under it."""

    command: str
    output: str


def blocks(markdown: str, language: str) -> list[str]:
    """The bodies of the fenced blocks of one language."""
    return [each["body"] for each in FENCE.finditer(markdown) if each["language"] == language]


def shown_commands(block: str) -> list[Shown]:
    """The commands of a console block, each with its output."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [Shown(*(part.split("\n", 1))) for part in parts]


def run_page(markdown: str, folder: Path, *, with_times: bool = False) -> str:
    """The page with what its commands print now.

    Blocks that differ by times alone stay, unless ``with_times``.
    """

    def now(fence: re.Match[str]) -> str:
        nonlocal folder
        if fence["title"]:
            (folder / fence["title"]).write_text(fence["body"], encoding="utf-8")
        if fence["language"] != "console":
            return fence[0]
        output, folder = run_block(fence["body"], folder)
        if not with_times and without_seconds(output) == without_seconds(fence["body"]):
            return fence[0]
        return f"```console\n{output}```"

    return FENCE.sub(now, markdown)


def run_block(block: str, folder: Path) -> tuple[str, Path]:
    """The block as a terminal would show it now, and the folder it ends in."""
    text = ""
    for shown in shown_commands(block):
        words = shlex.split(shown.command)
        text += f"$ {shown.command}\n"
        if words[0] == "cd":
            folder = folder / words[1]
            continue
        done = subprocess.run(
            [sys.executable, *(words[1:] if words[0] == "python" else ["-m", *words])],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        text += trimmed(shown.output, done.stdout)
    return text, folder


def trimmed(shown: str, output: str) -> str:
    """The lines of an output that correspond to those shown, the same lines left out.

    Lines that begin or end what is shown begin or end the output. Of the others the most similar
    lines of the output are taken, in their order.
    """
    wanted = [part.splitlines() for part in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)]
    if len(wanted) == 1:
        return output
    lines = output.splitlines()
    taken: list[str] = []
    start = 0
    for index, part in enumerate(wanted):
        if index == 0:
            found = 0
        elif index == len(wanted) - 1 and part:
            found = max(start, len(lines) - len(part))
        else:
            found = _most_similar(part, lines, start)
        taken.append("".join(f"{line}\n" for line in lines[found : found + len(part)]))
        start = found + len(part)
    return f"{LEFT_OUT}\n".join(taken)


def _most_similar(part: list[str], lines: list[str], start: int) -> int:
    """Where in the lines those of the part are most nearly found."""

    def likeness(offset: int) -> float:
        pairs = zip(part, lines[offset : offset + len(part)], strict=False)
        return sum(SequenceMatcher(None, old, new).ratio() for old, new in pairs)

    return max(range(start, max(start, len(lines) - len(part)) + 1), key=likeness)


def without_seconds(text: str) -> str:
    """The text with its timings, times and run ids made equal."""
    text = re.sub(r"\d+\.\d+ s\b", "0.00 s", text)
    text = re.sub(r"\bseconds=\d+(\.\d+)?", "seconds=0.0", text)
    return re.sub(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ( [0-9a-f]{8}\b)?", "TIME", text)
