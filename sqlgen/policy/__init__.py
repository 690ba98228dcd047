"""What the user declares: the policy file, read and checked before anything runs."""

from sqlgen.policy.columns import ColumnPolicy, Role
from sqlgen.policy.declared import Policy
from sqlgen.policy.places import Release, Source
from sqlgen.policy.reading import read_policy

__all__ = ["ColumnPolicy", "Policy", "Release", "Role", "Source", "read_policy"]
