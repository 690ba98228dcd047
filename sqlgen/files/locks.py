"""Files as locks that die with their holder; a refusal by name where the system has none.

Of what sqlgen does, only releases to files and folders and the rewriting of a database need such
locks. Everything else works without them, so nothing here is needed to import sqlgen.
"""

import os
import stat
import sys

from sqlgen.errors import UnsupportedError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

CAN_LOCK = fcntl is not None

# A link is not followed, and a pipe that nobody reads is not waited for.
AS_IT_IS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def require_locks(where: str, what: str, instead: str = "") -> None:
    """Refuse what needs file locks where the system has none."""
    if not CAN_LOCK:
        raise UnsupportedError(
            f"{where}: {what} needs file locks as Linux and macOS have them; this system "
            f"({sys.platform}) has none.{instead and ' ' + instead} Nothing was changed."
        )


def lock(handle: int, *, wait: bool) -> bool:
    """Lock an open file until it is closed; False where another process or handle has it.

    Raises OSError where the file system has no locks.
    """
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def is_lock_file(handle: int) -> bool:
    """Whether an open file could be a lock of ours: a file without content and without other names.

    A lock is removed by its name, so nothing else may pass for one.
    """
    status = os.fstat(handle)
    return stat.S_ISREG(status.st_mode) and not status.st_size and status.st_nlink <= 1
