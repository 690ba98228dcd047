"""What the user declares: the policy file, read and checked before anything runs."""

from sqlgen.policy.columns import ColumnPolicy, Role
from sqlgen.policy.declared import Policy
from sqlgen.policy.places import Release, Source
from sqlgen.policy.reading import read_policy
from sqlgen.policy.window import Window, share_rows

__all__ = [
    "ColumnPolicy",
    "Policy",
    "Release",
    "Role",
    "Source",
    "Window",
    "read_policy",
    "share_rows",
]
