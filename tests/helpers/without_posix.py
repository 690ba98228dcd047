"""Run sqlgen as on a system without POSIX: what Windows lacks is taken away, what it forbids fails.

    python without_posix.py FOLDER     prints a JSON line per command: its exit code and its words

It is a stand-in and not Windows: paths, encodings and DuckDB itself are those of this machine.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

MODULES = {"fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog", "readline"}
FLAGS = ("O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_SYNC", "O_DSYNC")
CALLS = (
    *("fchmod", "fchown", "chown", "lchown", "geteuid", "getuid", "getegid", "getgid", "mkfifo"),
    *("mknod", "fork", "killpg", "statvfs", "fstatvfs", "fdatasync", "sync", "nice"),
)
SIGNALS = ("SIGHUP", "SIGUSR1", "SIGUSR2", "SIGXFSZ", "SIGPIPE", "SIGQUIT", "SIGALRM")


class Missing(MetaPathFinder):
    """The modules that Windows does not have."""

    def find_spec(self, fullname: str, *_: object) -> None:
        if fullname in MODULES:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def open_files() -> set[tuple[int, int]]:
    """The files that this process has open."""
    found = set()
    for each in os.scandir("/proc/self/fd"):
        try:
            at = Path(each.path).stat()
        except OSError:
            continue
        found.add((at.st_dev, at.st_ino))
    return found


def forbidden(call: Callable[..., Any]) -> Callable[..., Any]:
    """A call that gives a file another name, or takes it away: not while it is open."""

    def called(*paths: Any, **more: Any) -> Any:
        for path in paths[:2]:
            try:
                at = os.lstat(path)
            except OSError:
                continue
            if (at.st_dev, at.st_ino) in open_files():
                raise PermissionError(13, "The process cannot access the file", str(path))
        return call(*paths, **more)

    return called


def take_away() -> None:
    """Make this process one without POSIX."""
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Missing())
    for name in (*FLAGS, *CALLS):
        if hasattr(os, name):
            delattr(os, name)
    for name in SIGNALS:
        if hasattr(signal, name):
            delattr(signal, name)
    for calls in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
        calls.clear()
    # Asked when it is imported, which an editable installation does before this.
    vars(shutil)["_use_fd_functions"] = False
    opened = os.open

    def open_file(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        assert dir_fd is None, "there are no folders to open"
        if os.path.isdir(path):  # noqa: PTH112
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, flags, mode)

    os.open = open_file
    for name in ("replace", "rename", "unlink", "remove"):
        setattr(os, name, forbidden(getattr(os, name)))
    import ctypes  # noqa: PLC0415

    loaded = ctypes.CDLL.__init__

    def load(self: Any, name: Any, *given: Any, **more: Any) -> None:
        if name is None:
            raise TypeError("LoadLibrary() argument 1 must be str, not None")
        loaded(self, name, *given, **more)

    ctypes.CDLL.__init__ = load  # type: ignore[method-assign]


def import_all() -> list[str]:
    """Import every module; gives the names of those that cannot be."""
    import sqlgen  # noqa: PLC0415

    failed = []
    for each in pkgutil.walk_packages(sqlgen.__path__, "sqlgen."):
        if each.name != "sqlgen.__main__":
            try:
                importlib.import_module(each.name)
            except Exception as error:
                failed.append(f"{each.name}: {error!r}")
    return failed


def main(folder: Path, commands: Sequence[Sequence[str]]) -> None:
    """Run commands in a folder, and print what each said."""
    take_away()
    from click.testing import CliRunner  # noqa: PLC0415

    from sqlgen.cli.main import main as sqlgen_main  # noqa: PLC0415

    print(json.dumps({"failed": import_all()}))
    os.chdir(folder)
    for command in commands:
        ran = CliRunner().invoke(sqlgen_main, list(command), catch_exceptions=False)
        print(json.dumps({"code": ran.exit_code, "out": ran.stdout, "err": ran.stderr}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
