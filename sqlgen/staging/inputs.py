"""The inputs of a release: source, hierarchies and sensitive columns, read once and passed on."""

from dataclasses import dataclass

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.policy import Policy
from sqlgen.staging.fingerprints import Fingerprints, take_fingerprints, take_meanings
from sqlgen.staging.job import Job
from sqlgen.staging.ladders import read_ladders
from sqlgen.staging.sensitive import Sensitive, read_sensitive
from sqlgen.staging.sensitive_levels import at_sensitive_levels, read_sensitive_levels
from sqlgen.staging.source import check_columns, find_whole, in_window


@dataclass(frozen=True)
class Inputs:
    """The tables, ladders and columns that a job's policy names, as found: nothing is staged.

    ``whole`` is the source, ``source`` the rows of it that are released: all of them, or those of
    a window. ``ladders`` are those of the quasi-identifiers, ``sensitive_levels`` those of the
    sensitive columns that are released at a level, ``sensitive`` what guarantees judge.
    """

    job: Job
    whole: Relation
    source: Relation
    ladders: tuple[Ladder, ...]
    sensitive_levels: tuple[Ladder, ...]
    sensitive: Sensitive

    @property
    def policy(self) -> Policy:
        """The policy of the job."""
        return self.job.policy

    @property
    def shown(self) -> Relation:
        """The source with labels in place of sensitive values that are released at a level."""
        return at_sensitive_levels(self.policy, self.source, self.sensitive_levels)

    @property
    def sensitive_ladders(self) -> tuple[Ladder, ...]:
        """The ladders of sensitive columns, as they are judged and as they are released."""
        return (*self.sensitive.ladders, *self.sensitive_levels)

    def sensitive_of(self, engine: Engine, shown: Relation, original: Relation) -> Sensitive:
        """The sensitive columns of the rows as a script reads them, staged or as they are."""
        if shown == self.shown and original == self.source:
            return self.sensitive
        guarantees = self.policy.guarantees
        return read_sensitive(engine, self.policy, shown, guarantees, lambda: original, original)

    def fingerprints(self, engine: Engine, rows: int) -> Fingerprints:
        """The fingerprints of the policy and its inputs; lists are read as they are now."""
        every = (*self.ladders, *self.sensitive_ladders)
        return take_fingerprints(engine, self.policy, self.source, every, rows)

    def meanings(self, engine: Engine) -> dict[str, str]:
        """The fingerprints of hierarchies whose labels do not say what they cover."""
        return take_meanings(engine, self.policy, (*self.ladders, *self.sensitive_ladders))


def read_inputs(engine: Engine, job: Job, whole: Relation | None = None) -> Inputs:
    """The inputs of a job, its source among them unless it was found already.

    Raises PolicyError where the source has other columns than the policy.
    """
    policy = job.policy
    whole = find_whole(engine, policy, job.given) if whole is None else whole
    source = in_window(whole, policy, job.window)
    check_columns(source, policy)
    ladders = read_ladders(engine, policy, source)
    levels = read_sensitive_levels(engine, policy, source)
    shown = at_sensitive_levels(policy, source, levels)
    sensitive = read_sensitive(engine, policy, shown, policy.guarantees, lambda: source, source)
    return Inputs(job, whole, source, ladders, levels, sensitive)
