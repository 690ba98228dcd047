"""A job: what one command is to do, made once from the policy and the moment of the command."""

from dataclasses import dataclass
from datetime import datetime

from sqlgen.engines import DataSource
from sqlgen.policy import Policy, RowWindow


@dataclass(frozen=True)
class Job:
    """A policy as this command uses it: with the target that it has now, and the rows of now.

    ``given`` is the source that came with the call, in place of the policy's own. Of the source's
    rows those of the ``window`` are released; without one, all. A target with a time in its name
    has that of the ``moment``; unless one is said, of when it is released.
    """

    policy: Policy
    given: DataSource | None = None
    window: RowWindow | None = None
    moment: datetime | None = None
