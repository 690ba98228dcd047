"""Cases about recodings: what local recoding loses and takes, beside full-domain's figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

import adult
import invented
from measuring import (
    Figure,
    Setting,
    Timed,
    best,
    peak_gigabytes,
    plan_detail,
    ratio,
    timed,
)
from memory import heap_ratio
from searches import WIDE_SECONDS
from sqlgen import Plan, SearchLimits, make_plan, read_policy

Mapped = Mapping[str, Any]

# Plans of a small table vary more than large ones, and take little.
_SMALL_REPEATS = 5


@dataclass(frozen=True)
class Beside:
    """The plans of one policy by local recoding and by full-domain."""

    local: Timed[Plan]
    full: Timed[Plan]

    @classmethod
    def of(cls, connection: duckdb.DuckDBPyConnection, policy: Mapped, repeats: int) -> "Beside":
        """Both plans, measured in turns; the fastest of several."""
        policies = [read_policy(each) for each in (locally(policy), policy)]
        runs = [_plans(policies, connection) for _ in range(repeats)]
        return cls(*(best(list(plans)) for plans in zip(*runs, strict=True)))

    @property
    def losses(self) -> tuple[float, float]:
        """The loss by local recoding and by full-domain."""
        return self.local.result.metrics["loss"], self.full.result.metrics["loss"]

    def detail(self) -> dict[str, Any]:
        """Seconds, the process's own too, and what was chosen by each."""
        return {
            name: {
                "seconds": round(each.seconds, 4),
                "cpu_seconds": round(each.cpu_seconds, 4),
                **plan_detail(each.result),
                "profile": each.largest(),
            }
            for name, each in (("local", self.local), ("full_domain", self.full))
        }


def _plans(policies: Sequence[Any], connection: duckdb.DuckDBPyConnection) -> list[Timed[Plan]]:
    return [_timed_plan(policy, connection) for policy in policies]


def _timed_plan(policy: Any, connection: duckdb.DuckDBPyConnection) -> Timed[Plan]:
    return timed(lambda: make_plan(policy, connection))


def locally(policy: Mapped) -> dict[str, Any]:
    """The same policy by local recoding."""
    return {**policy, "recoding": "local"}


def local(setting: Setting) -> list[Figure]:
    """Adult at k = 5, nothing suppressed; and with occupation within 0.2, at 2 %."""
    repeats = max(_SMALL_REPEATS, setting.best_of)
    with duckdb.connect() as connection:
        adult.load(connection, setting.adult)
        k = Beside.of(connection, adult.adult_policy(setting.adult, "0%"), repeats)
        asked = adult.adult_policy(setting.adult, "2%", adult.closeness("equal"))
        close = Beside.of(connection, asked, 1)
        squares = {**adult.adult_policy(setting.adult), "objective": "discernibility"}
        least = make_plan(read_policy(squares), connection).objective
    classes = [each.result.metrics["discernibility"] for each in (k.local, k.full)]
    return [
        Figure("loss, k", k.losses[0], "", 0.0325, 0.027, k.detail()),
        Figure("loss, k, full-domain", k.losses[1], ""),
        Figure("discernibility, k", classes[0], "", 590_000, 550_000),
        Figure("discernibility, k, full-domain", classes[1], ""),
        Figure("discernibility, k, full-domain's least, 2%", least, ""),
        Figure("plan, k, warm", k.local.seconds, "s", 1, 0.4),
        Figure("plan, k, warm, CPU", k.local.cpu_seconds, "s"),
        Figure("plan, k, warm, full-domain", k.full.seconds, "s"),
        Figure("loss, t 0.2 equal, 2%", close.losses[0], "", 0.445, 0.3, close.detail()),
        Figure("loss, t 0.2 equal, 2%, full-domain", close.losses[1], ""),
    ]


def local_models(setting: Setting) -> list[Figure]:
    """Local recoding's loss over full-domain's, by each guarantee, with and without suppression."""
    figures = []
    with duckdb.connect() as connection:
        adult.load(connection, setting.adult)
        for share in ("0%", "2%"):
            for name, guarantee, column in _models(setting):
                policy = adult.adult_policy(setting.adult, share, guarantee, sensitive=column)
                both = Beside.of(connection, policy, 1)
                figures += _over_full(f"{name}, {share}", both)
    return figures


def _models(setting: Setting) -> list[tuple[str, Mapped, Mapped]]:
    """The guarantees that the two are compared by, each with what it asks of the column."""
    tree = {"hierarchy": adult.hierarchy(setting.adult, "occupation")}
    return [
        ("distinct 3", adult.diversity("distinct", l=3), {}),
        ("entropy 3", adult.diversity("entropy", l=3), {}),
        ("recursive (4,3)", adult.diversity("recursive", c=4, l=3), {}),
        ("t 0.2 equal", adult.closeness("equal"), {}),
        ("t 0.2 hierarchical", adult.closeness("hierarchical"), tree),
        ("t 0.2 ordered", adult.closeness("ordered"), {"order": "text"}),
    ]


def _over_full(name: str, both: Beside) -> list[Figure]:
    local_loss, full_loss = both.losses
    share = local_loss / full_loss if full_loss else 1.0
    return [
        Figure(f"{name}: loss over full-domain's", share, "x", 0.5, 0.2, both.detail()),
        Figure(f"{name}: loss", local_loss, ""),
        Figure(f"{name}: loss, full-domain", full_loss, ""),
    ]


def local_million(setting: Setting) -> list[Figure]:
    """A plan, a release and an audit of a million rows over the limit, at k = 5."""
    return _trips(setting, adult.adult_policy(setting.adult, table="adult_permuted"), 12, 6)


def local_big(setting: Setting) -> list[Figure]:
    """The same for all rows, at k = 5."""
    return _trips(setting, adult.adult_policy(setting.adult, table="adult_big"), 12, 6)


def local_big_close(setting: Setting) -> list[Figure]:
    """The same for all rows, with occupation within 0.2."""
    policy = adult.adult_policy(setting.adult, "2%", adult.closeness("equal"), "adult_big")
    return _trips(setting, policy, None, 6)


def mondrian(setting: Setting) -> list[Figure]:
    """Adult at k = 5, nothing suppressed, by Mondrian: what each kind of label loses."""
    repeats = max(_SMALL_REPEATS, setting.best_of)
    figures: list[Figure] = []
    with duckdb.connect() as connection:
        adult.load(connection, setting.adult)
        plain = adult.adult_policy(setting.adult, "0%")
        for labels, target, aim in (("set", 0.0145, 0.013), ("ladder", 0.079, 0.070)):
            policy = read_policy(by_cuts(plain, labels))
            found = best([_timed_plan(policy, connection) for _ in range(repeats)])
            metrics = found.result.metrics
            figures += [
                Figure(f"loss, {labels}", metrics["loss"], "", target, aim),
                Figure(
                    f"discernibility, {labels}", metrics["discernibility"], "", 590_000, 550_000
                ),
                Figure(f"plan, {labels}, warm", found.seconds, "s", 1, 0.4),
                Figure(f"plan, {labels}, warm, CPU", found.cpu_seconds, "s"),
            ]
        close = adult.adult_policy(setting.adult, "2%", adult.closeness("equal"))
        plan = make_plan(read_policy(by_cuts(close, "set", "objective")), connection)
        ranges = _ranges(connection, setting)
    return [*figures, *ranges, Figure("loss, set, t 0.2 equal, 2%", plan.metrics["loss"], "")]


def _ranges(connection: duckdb.DuckDBPyConnection, setting: Setting) -> list[Figure]:
    """Adult's values as numbers, in the order of their labels: what ranges of them lose."""
    coded = setting.scratch / "coded"
    adult.load_coded(connection, setting.adult, coded)
    policy = by_cuts(adult.adult_policy(coded, "0%", table="adult_coded"), "range")
    metrics = make_plan(read_policy(policy), connection).metrics
    return [
        Figure("loss, range, as numbers", metrics["loss"], "", 0.023, 0.020),
        Figure("discernibility, range", metrics["discernibility"], "", 590_000, 550_000),
    ]


def mondrian_million(setting: Setting) -> list[Figure]:
    """A plan, a release and an audit of a million rows over the limit, at k = 5, with sets."""
    return _cut_trip(setting, "adult_permuted")


def mondrian_big(setting: Setting) -> list[Figure]:
    """The same for all rows."""
    return _cut_trip(setting, "adult_big")


def _cut_trip(setting: Setting, table: str) -> list[Figure]:
    """How many times the floor Mondrian takes with sets, at k = 5."""
    policy = by_cuts(adult.adult_policy(setting.adult, table=table), "set")
    with setting.connect() as connection:
        found = ratio("plan + apply + audit", connection, policy, setting.best_of, 12, 6)
    return [found, Figure("loss", found.detail["objective"], "")]


def anatomy(setting: Setting) -> list[Figure]:
    """A plan, a release and an audit of a million rows over the limit, in groups with l = 2."""
    return _groups(setting, "adult_permuted", None, None)


def anatomy_big(setting: Setting) -> list[Figure]:
    """The same for all rows."""
    return _groups(setting, "adult_big", 2.5, 1.5)


def _groups(setting: Setting, table: str, target: float | None, aim: float | None) -> list[Figure]:
    """How many times the floor groups of two occupations take."""
    policy = adult.adult_policy(setting.adult, "0%", table=table)
    in_groups = {
        **policy,
        "recoding": "anatomy",
        "guarantees": [adult.diversity("distinct", l=2)],
    }
    with setting.connect() as connection:
        name = "plan + apply + audit"
        return [ratio(name, connection, in_groups, setting.best_of, target, aim)]


def by_cuts(policy: Mapped, labels: str, cut: str = "width") -> dict[str, Any]:
    """The same policy by Mondrian."""
    return {**policy, "recoding": {"mondrian": {"labels": labels, "cut": cut}}}


def _trips(
    setting: Setting, policy: Mapped, target: float | None, aim: float | None
) -> list[Figure]:
    """How many times the floor a policy takes, by local recoding and by full-domain."""
    name = "plan + apply + audit"
    with setting.connect() as connection:
        found = ratio(name, connection, locally(policy), setting.best_of, target, aim)
        full = ratio(f"{name}, full-domain", connection, policy, setting.best_of, None)
    losses = [each.detail["objective"] for each in (found, full)]
    return [
        found,
        full,
        Figure("loss", losses[0], ""),
        Figure("loss, full-domain", losses[1], ""),
    ]


def local_wide(setting: Setting) -> list[Figure]:
    """A plan of fifteen quasi-identifiers, and the loss that full-domain comes to in its time."""
    policy = invented.wide_policy()
    with setting.connect() as connection:
        found = best(_plans([read_policy(locally(policy))] * setting.best_of, connection))
        limits = SearchLimits(max_seconds=WIDE_SECONDS)
        full = make_plan(read_policy(policy), connection, limits=limits)
    detail = {**plan_detail(found.result), "profile": found.largest()}
    return [
        Figure("plan", found.seconds, "s", 10, 3, detail),
        Figure("plan, CPU", found.cpu_seconds, "s"),
        Figure("loss", found.result.metrics["loss"], ""),
        Figure(f"loss, full-domain, {WIDE_SECONDS} s", full.metrics["loss"], ""),
        Figure("peak memory", peak_gigabytes(), "GB"),
    ]


def local_memory(setting: Setting) -> list[Figure]:
    """Python's largest heap for all rows over that for 100,000, by each recoding."""
    small, large = (
        adult.adult_policy(setting.adult, table=table) for table in ("adult_small", "adult_big")
    )
    name = "Python heap over 10^5 rows'"
    found, peak = heap_ratio(name, setting, locally(small), locally(large), 1.2, 1.05)
    full, _ = heap_ratio(f"{name}, full-domain", setting, small, large)
    return [found, full, peak]
