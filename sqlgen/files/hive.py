"""A partitioned Parquet set on disk: folders called key=value with files in them, and no more."""

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote


def is_set(folder: Path) -> bool:
    """Whether a folder holds folders called key=value and Parquet files in them, and no more.

    An empty folder is one too. A link is something else, wherever it leads, and so is a folder that
    cannot be looked into.
    """
    if folder.is_symlink() or not folder.is_dir():
        return False
    try:
        return not any(_strange(folder, entry) for entry in _entries(folder))
    except OSError:
        return False


def keys_of(folder: Path) -> set[str]:
    """The columns that a set is partitioned by, as its folders are called."""
    return {
        unquote(entry.name.partition("=")[0])
        for entry in _entries(folder)
        if entry.is_dir(**_AS_IS)
    }


def tree_of(folder: Path) -> Iterator[Path]:
    """Every file and folder of a set, what is inside before what it is in; the set itself last."""
    for root, _, files in os.walk(folder, topdown=False):
        yield from (Path(root, name) for name in sorted(files))
        yield Path(root)


def remove_set(folder: Path) -> None:
    """Remove a set, and nothing else: what another program puts there meanwhile stays, an error."""
    for path in tree_of(folder):
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        elif path.suffix == ".parquet":
            path.unlink()


_AS_IS = {"follow_symlinks": False}


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    """The files in a folder and in the folders below it."""
    with os.scandir(folder) as entries:
        for entry in entries:
            yield entry
            if entry.is_dir(**_AS_IS):
                yield from _entries(Path(entry.path))


def _strange(folder: Path, entry: os.DirEntry[str]) -> bool:
    """Whether something in a set is neither a folder nor a file of one."""
    if entry.is_dir(**_AS_IS):
        return not entry.name.partition("=")[0] or "=" not in entry.name
    is_parquet = entry.is_file(**_AS_IS) and entry.name.endswith(".parquet")
    return not is_parquet or Path(entry.path).parent == folder
