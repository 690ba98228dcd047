"""What is volatile in the output of a command, and what stands in its place when it is frozen."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

_DIGEST = r"(?:sha256|md5):[0-9a-f]{32}"
_MOMENT = r"(\d{4})-?(\d\d)-?(\d\d)[T _](\d\d):?(\d\d):?(\d\d)(?:\.\d+)?(?:Z|\+00)?"


def normalized(text: str, folder: Path, begun: datetime) -> str:
    """The text of an output without seconds, times, ids, versions, paths and template names.

    Of times only those since the case began are volatile; the data's own are older, and stay.
    A lock's fingerprint follows from the lock's form, and that is frozen as a file of its own.
    """

    def moment(found: re.Match[str]) -> str:
        year, month, day, hour, minute, second = (int(part) for part in found.groups())
        try:
            at = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
        except ValueError:
            return found[0]
        return "<now>" if at >= begun else found[0]

    text = text.replace(str(folder), "<folder>")
    text = re.sub(_MOMENT, moment, text)
    # Seconds: one number or several of JSON, of log lines, and of sentences.
    text = re.sub(r'("seconds": )(?:\{[^}]*\}|\d+(?:\.\d+)?)', r'\1"<seconds>"', text)
    text = re.sub(r"\bseconds=\d+(?:\.\d+)?", "seconds=<seconds>", text)
    text = re.sub(r"\b(in|over|Preparation|search) \d+(?:\.\d+)? s\b", r"\1 <seconds> s", text)
    text = re.sub(r"\(\d+\.\d+ s\)", "(<seconds> s)", text)
    # The id of a run, and of a partition's file.
    text = re.sub(r'("run": )"[0-9a-f]{32}"', r'\1"<run>"', text)
    text = re.sub(r"^(<now> )[0-9a-f]{8}\b", r"\1<run>", text, flags=re.MULTILINE)
    text = re.sub(r"release_[0-9a-f-]{12,}", "release_<id>", text)
    # Versions, and what follows from them.
    text = text.replace(f"'{version('sqlgen-anonymizer')}' AS sqlgen_version", "<version>")
    text = re.sub(r'("(?:sqlgen|engine)_version": )"[^"]*"', r'\1"<version>"', text)
    text = re.sub(r"By sqlgen \S+ on DuckDB \S+", "By sqlgen <version> on DuckDB <version>", text)
    text = text.replace(f"version {version('sqlgen-anonymizer')}", "version <version>")
    text = re.sub(rf'("lock_fingerprint": )"{_DIGEST}"', r'\1"<lock>"', text)
    text = re.sub(rf"'{_DIGEST}' AS lock_fingerprint", "'<lock>' AS lock_fingerprint", text)
    text = re.sub(rf"^(  lock +.*){_DIGEST}", r"\1<lock>", text, flags=re.MULTILINE)
    # The fingerprint of the place of a file that is named by its time.
    text = re.sub(rf'("target": "[^"]*<now>[^"]*",\s+"place": )"{_DIGEST}"', r'\1"<place>"', text)
    text = re.sub(rf"('[^']*<now>[^']*' AS target,\s+)'{_DIGEST}'", r"\1'<place>'", text)
    # The threads that the engine has again after a release in partitions: as many as processors.
    text = re.sub(r"SET threads = (?!1;)\d+", "SET threads = <threads>", text)
    # Templates: where a statement's text came from.
    text = re.sub(r'("template": )"[a-z_/]+"', r'\1"<template>"', text)
    return re.sub(r"(the database refused )[a-z_/]+/[a-z_]+", r"\1<template>", text)
