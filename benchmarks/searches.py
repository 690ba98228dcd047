"""Cases about the search alone: the nodes that it measures, and its time on tables of one kind."""

from collections.abc import Mapping
from typing import Any

import duckdb

import adult
import invented
from measuring import (
    Figure,
    Setting,
    Timed,
    best,
    group_by,
    peak_gigabytes,
    plan_detail,
    run_sql,
    timed,
)
from sqlgen import Plan, SearchLimits, make_plan, read_policy

WIDE_SECONDS = 29

# What a feasible node takes: its sizes and its values. Where nothing is suppressed, its cost takes
# no statement; the sums of all objectives describe the plan, and are no part of it.
_NODE_STATEMENTS = ("measuring/verdict", "measuring/judged")


def _best_plan(
    connection: duckdb.DuckDBPyConnection, policy: Mapping[str, Any], repeats: int
) -> Timed[Plan]:
    read = read_policy(policy)
    return best([timed(lambda: make_plan(read, connection)) for _ in range(repeats)])


def _planned(plan: Timed[Plan]) -> dict[str, Any]:
    seconds = {"plan": round(plan.seconds, 4)}
    return {"seconds": seconds, **plan_detail(plan.result), "profile": plan.largest()}


def adult_suppression(setting: Setting) -> list[Figure]:
    """Nodes and seconds for each share of suppression, k alone."""
    figures = []
    with duckdb.connect() as connection:
        adult.load(connection, setting.adult)
        for share in adult.SHARES:
            policy = adult.adult_policy(setting.adult, share.words)
            plan = _best_plan(connection, policy, max(5, setting.best_of))
            found = plan.result
            chosen = (
                tuple(found.levels_to("measure").values()),
                round(found.objective, 8),
                found.suppressed_rows,
            )
            known = chosen == (share.levels, share.loss, share.suppressed_rows)
            adult.verdict_cells(connection, setting.adult, share.levels)
            verdict = min(run_sql(connection, adult.verdict(5)) for _ in range(100))
            detail = {**_planned(plan), "is_known_optimum": known, "verdict": verdict}
            nodes = float(found.measured_nodes)
            figures += [
                Figure(f"nodes, {share.words}", nodes, "nodes", share.most_nodes, detail=detail),
                Figure(
                    f"plan / verdict, {share.words}",
                    plan.seconds / verdict,
                    "x",
                    share.most_verdicts,
                ),
            ]
    return figures


def adult_models(setting: Setting) -> list[Figure]:
    """Nodes for each kind of guarantee, at 2 % suppression."""
    figures = []
    with duckdb.connect() as connection:
        adult.load(connection, setting.adult)
        for model in adult.models(setting.adult):
            policy = adult.adult_policy(
                setting.adult, "2%", model.guarantee, sensitive=model.column
            )
            plan = _best_plan(connection, policy, 1)
            detail = {
                **_planned(plan),
                "is_known_optimum": round(plan.result.objective, 8) == model.loss,
            }
            nodes = float(plan.result.measured_nodes)
            figures.append(Figure(model.name, nodes, "nodes", model.most_nodes, model.aim, detail))
    return figures


def adult_1m_nodes(setting: Setting) -> list[Figure]:
    """Nodes for a million rows, k alone and with two guarantees."""
    asked: tuple[tuple[str, Mapping[str, Any] | None, int], ...] = (
        ("k", None, 25),
        ("distinct 3", adult.diversity("distinct", l=3), 45),
        ("t 0.2 equal, released", adult.closeness("equal"), 300),
        ("t 0.2 equal, source", adult.closeness("equal", reference="source"), 300),
    )
    figures = []
    with setting.connect() as connection:
        for name, guarantee, most in asked:
            policy = adult.adult_policy(setting.adult, "2%", guarantee, "adult_million")
            plan = _best_plan(connection, policy, 1)
            nodes = float(plan.result.measured_nodes)
            figures.append(Figure(name, nodes, "nodes", most, detail=_planned(plan)))
    return figures


def wide(setting: Setting) -> list[Figure]:
    """A plan in a lattice of 4^15 nodes, ended by its limit."""
    policy = read_policy(invented.wide_policy())
    with setting.connect() as connection:
        plan = timed(
            lambda: make_plan(policy, connection, limits=SearchLimits(max_seconds=WIDE_SECONDS))
        )
    found = plan.result
    gap = None if found.floor is None else found.objective - found.floor
    detail = {"lattice": found.lattice_nodes, "floor": found.floor, "gap": gap, **_planned(plan)}
    return [
        Figure("plan", plan.seconds, "s", 30, None, detail),
        Figure("feasible plans", float(found.satisfied), "plans"),
        Figure("peak memory", peak_gigabytes(), "GB"),
    ]


def values(setting: Setting) -> list[Figure]:
    """One node of 20,000 classes and 5,000 values in order, against their histogram."""
    policy = invented.values_policy()
    with setting.connect() as connection:
        histogram = min(
            run_sql(connection, group_by("many_values", ("team", "room", "salary")))
            for _ in range(setting.best_of)
        )
        plan = _best_plan(connection, policy, setting.best_of)
    ran = [plan.profile.get(template, (0.0, 1)) for template in _NODE_STATEMENTS]
    node = sum(seconds / times for seconds, times in ran)
    search = plan.result.seconds["search"]
    detail = {"histogram": round(histogram, 4), "search": round(search, 4), **_planned(plan)}
    return [
        Figure("one node / histogram", node / histogram, "x", 4, None, detail),
        Figure("search / histogram", search / histogram, "x"),
    ]
