"""Console blocks of a Markdown file: commands after ``$``, and the output under each."""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Shown:
    """A command of a console block and the output printed under it."""

    command: str
    output: str


def blocks(markdown: str, language: str) -> list[str]:
    """The fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", markdown, re.MULTILINE | re.DOTALL)


def shown_commands(block: str) -> list[Shown]:
    """The commands of a console block, each with its output."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [Shown(*(part.split("\n", 1))) for part in parts]


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
        text += done.stdout
    return text, folder


def without_seconds(text: str) -> str:
    """The text with its timings, times and run ids made equal."""
    text = re.sub(r"\d+\.\d+ s\b", "0.00 s", text)
    text = re.sub(r"\bseconds=\d+(\.\d+)?", "seconds=0.0", text)
    return re.sub(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ( [0-9a-f]{8}\b)?", "TIME", text)
