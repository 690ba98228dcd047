"""Every guarantee that an audit measures, against the oracle, on small adversarial tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditing import assert_agrees, verdicts_alone
from oracle_models import ORACLE, masked_rows
from sqlgen.guarantees import MODELS, Guarantee
from strategies_guarantees import GUARANTEES, asked, asked_masked

# What is asked for at once. Guarantees share what they are made of, so each stands in company
# of its kind, of every other kind, and of itself with other parameters and other columns.
TOGETHER: Mapping[str, Sequence[str]] = {
    "identity": ["k_anonymity", "k_anonymity", "k_anonymity"],
    "identity and diversity": [
        *("k_anonymity", "alpha_k_anonymity", "distinct_l_diversity", "entropy_l_diversity"),
        *("recursive_l_diversity", "recursive_l_diversity", "alpha_k_anonymity"),
    ],
    "closeness": [*["t_closeness"] * 7, "ratio_closeness", "ratio_closeness"],
    "likeness": ["delta_disclosure", "beta_likeness", "skewness", "delta_disclosure"],
    "attacks": ["homogeneity", "background_knowledge", "similarity", "similarity", "skewness"],
    "presence": ["k_map", "delta_presence", "delta_presence", *["linkage"] * 3],
    "belief": [*["positive_disclosure", "negative_disclosure", "belief_breach"] * 2],
    "around": [*["n_t_closeness"] * 4, "t_closeness"],
    "everything": list(MODELS),
}


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """One database for every example."""
    with duckdb.connect(config={"threads": 1}) as opened:
        yield opened


def test_every_model_has_a_strategy_an_oracle_and_a_template() -> None:
    assert MODELS.keys() == GUARANTEES.keys()
    assert MODELS.keys() <= ORACLE.keys()
    for name, model in MODELS.items():
        is_judged = model.verdict is not Guarantee.verdict
        assert is_judged or model.fails_by_size is not Guarantee.fails_by_size, name


@pytest.mark.parametrize("models", TOGETHER.values(), ids=TOGETHER)
@given(data=st.data())
def test_an_audit_measures_what_the_oracle_measures(
    connection: duckdb.DuckDBPyConnection, models: Sequence[str], data: st.DataObject
) -> None:
    case, guarantees = data.draw(asked(*models))
    case.load(connection)
    with verdicts_alone():
        measured = case.audited(connection, guarantees)
    for found, guarantee in zip(measured, guarantees, strict=True):
        assert_agrees(found, case.judged(guarantee))


@pytest.mark.parametrize("models", TOGETHER.values(), ids=TOGETHER)
@settings(max_examples=settings().max_examples // 4)
@given(data=st.data())
def test_an_audit_that_reads_classes_as_masked_measures_what_the_oracle_does(
    connection: duckdb.DuckDBPyConnection, models: Sequence[str], data: st.DataObject
) -> None:
    case, guarantees = data.draw(asked_masked(*models))
    case.load(connection)
    with verdicts_alone():
        found = case.audit(connection, guarantees, "suppress_sensitive")
    assert found.rows == len(case.rows)
    assert found.classes == len(case.table.classes())
    # Where class sizes alone decide, nothing is masked and no value is looked at.
    looks = any(name != "k_anonymity" or "unit" in given for name, given in guarantees)
    assert found.masked_rows == (masked_rows(case.table) if looks else 0)
    for measured, guarantee in zip(found.guarantees, guarantees, strict=True):
        assert_agrees(measured, case.judged(guarantee, "suppress_sensitive"), len(case.rows))


@pytest.mark.parametrize("model", MODELS)
@settings(max_examples=settings().max_examples // 4)
@given(data=st.data())
def test_a_guarantee_alone_measures_what_the_oracle_measures(
    connection: duckdb.DuckDBPyConnection, model: str, data: st.DataObject
) -> None:
    case, (guarantee,) = data.draw(asked(model))
    case.load(connection)
    (found,) = case.audited(connection, [guarantee])
    assert_agrees(found, case.judged(guarantee))
