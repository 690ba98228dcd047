"""Destinations: the file or folder that a write replaces, behind every link, and of what kind.

A rename takes the place of whatever has a name: a pipe, a device, or a link, behind which readers
would keep the old file. So links are followed first, and only a file gives way to a file, and a
folder to a folder.
"""

import errno
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlgen.errors import RefusedError

Wanted = Literal["file", "folder"]
# As many as Linux follows.
_MOST_LINKS = 40

_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISREG, "file"),
    (stat.S_ISDIR, "folder"),
    (stat.S_ISFIFO, "named pipe"),
    (stat.S_ISCHR, "character device"),
    (stat.S_ISBLK, "block device"),
    (stat.S_ISSOCK, "socket"),
)


@dataclass(frozen=True)
class Destination:
    """Where a write goes: the path as it is ``written``, and the ``path`` behind every link.

    ``exists`` says whether something to be replaced stands there. ``link`` is the path behind a
    link as seen from the link's folder, empty where the written name is no link: the written path
    may hold what a variable of the environment stands for, which is not shown.
    """

    written: Path
    path: Path
    exists: bool
    link: str = ""


def kind_of(mode: int) -> str:
    """The kind of thing that a mode is of, in words."""
    return next((words for is_kind, words in _KINDS if is_kind(mode)), "special file")


def find_destination(written: Path, where: str, wanted: Wanted = "file") -> Destination:
    """The destination of a write to a path; RefusedError where it is of another kind than wanted.

    A link that leads nowhere, or to itself, is refused too.
    """
    if _is_of_process(written):
        raise _refused(
            where,
            f"the {wanted}'s name stands for what a process has open",
            f"Name the {wanted} itself",
        )
    # os.path, for a folder that cannot be looked into has no link that could be followed.
    path, is_link = Path(os.path.realpath(written)), os.path.islink(written)  # noqa: PTH114
    link = _seen_from(written, path) if is_link else ""
    try:
        # Through the link and not by its path: what /dev/stdout leads to may have none.
        status = written.stat()
    except FileNotFoundError:
        if link:
            raise _refused(
                where,
                f"the {wanted}'s name is a link to {link}, where there is nothing",
                f"Remove the link, or name the {wanted} that it should lead to",
            ) from None
        return Destination(written, path, exists=False)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _refused(
                where, f"the {wanted}'s name is a link that leads in a circle", "Remove it"
            ) from None
        raise _refused(
            where,
            f"the {wanted} cannot be looked at ({type(error).__name__})",
            f"Name another {wanted}",
        ) from None
    _check_kind(kind_of(status.st_mode), where, wanted, is_link=bool(link))
    if not _is_of_kind(path, wanted):
        raise _refused(
            where,
            f"the {wanted}'s name is a link, and nothing tells what it leads to",
            f"Name the {wanted} itself",
        )
    return Destination(written, path, exists=True, link=link)


def _is_of_process(path: Path) -> bool:
    """Whether a path, or a link on its way, lies in /proc, as what /dev/stdout leads to does.

    What is behind is a file that somebody else writes: the shell's ``> log.txt`` would be replaced.
    """
    for _ in range(_MOST_LINKS):
        if Path(os.path.realpath(path.parent)).parts[:2] == ("/", "proc"):
            return True
        try:
            path = path.parent / path.readlink()
        except OSError:
            return False
    return False


def check_unmoved(destination: Destination, where: str, wanted: Wanted = "file") -> bool:
    """Refuse a destination that has become another one; gives whether something stands there now.

    Called right before the rename, which itself asks nothing: it replaces what it finds.
    """
    now = find_destination(destination.written, where, wanted)
    if now.path != destination.path:
        raise RefusedError(
            f"{where}: the {wanted}'s name leads to another place than when the work began. "
            "Nothing was changed."
        )
    return now.exists


def check_own_file(path: Path, where: str, wanted: Wanted = "file") -> bool:
    """Refuse to use a name beside a destination that something else has; gives whether it exists.

    For the partial file and the lock, whose names are kept for sqlgen.
    """
    try:
        status = path.lstat()
    except FileNotFoundError:
        return False
    if stat.S_ISREG(status.st_mode):
        return True
    kind = "link" if stat.S_ISLNK(status.st_mode) else kind_of(status.st_mode)
    raise _refused(
        where,
        f"a {kind} has the {wanted}'s name with {path.suffix} behind it, which is kept for the "
        "release while it is made",
        "Look at it, and remove it",
    )


def _check_kind(kind: str, where: str, wanted: Wanted, *, is_link: bool) -> None:
    if kind == wanted:
        return
    obstacle = f"a {kind} has the {wanted}'s name"
    if is_link:
        obstacle = f"the {wanted}'s name is a link to a {kind}"
    is_plain = kind in ("file", "folder")
    advice = f"Remove it, or name another {wanted}" if is_plain else f"Name another {wanted}"
    raise _refused(where, obstacle, advice)


def _is_of_kind(path: Path, kind: str) -> bool:
    """Whether something of a kind has a path, without any link. Another writer may replace it."""
    try:
        return kind_of(path.lstat().st_mode) == kind
    except OSError:
        return False


def _refused(where: str, obstacle: str, advice: str) -> RefusedError:
    return RefusedError(f"{where}: {obstacle}. {advice}. Nothing was changed.")


def _seen_from(link: Path, path: Path) -> str:
    """A path as a link in its folder would spell it."""
    try:
        return Path(os.path.relpath(path, os.path.realpath(link.parent))).as_posix()
    except ValueError:  # Windows: on another drive.
        return path.name
