"""The policy: what the user declares, read from a file and checked before anything runs.

Called by every room above. It knows no database and no run. ``model.py`` has the ``Policy``, and
``places.py`` the source, the kinds of targets and the schedule.
"""

from sqlgen.policy.columns import ColumnPolicy, Role
from sqlgen.policy.model import Policy
from sqlgen.policy.places import ReleaseTarget, Source
from sqlgen.policy.reading import read_policy
from sqlgen.policy.window import RowWindow, share_rows

__all__ = [
    "ColumnPolicy",
    "Policy",
    "ReleaseTarget",
    "Role",
    "RowWindow",
    "Source",
    "read_policy",
    "share_rows",
]
