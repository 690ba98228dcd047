"""Local recoding: each class at levels of its own, over the ladders of the policy.

Layers first: among what is left, a node of little loss releases the classes that give every
guarantee. Then refinement: every region by itself takes its columns to finer levels, as long as the
parts give every guarantee too.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import measure_whole
from sqlgen.policy import Policy
from sqlgen.recodings.kept_regions import tree_sql
from sqlgen.recodings.local_least import find_least
from sqlgen.recodings.local_steps import LOCAL, LocalSteps, read_local_steps
from sqlgen.recodings.recoding import Choice
from sqlgen.recodings.region_decision import RegionDecision, decision_of, read_decision
from sqlgen.recodings.region_recoding import RegionRecoding, with_regions
from sqlgen.recodings.region_script import form_of
from sqlgen.search.lattice import Lattice
from sqlgen.search.verdict import Standing


class Local(RegionRecoding):
    """Local recoding over the ladders: layers of nodes, then refinement of each region."""

    name: ClassVar[str] = LOCAL

    def decide(
        self,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,
        goes_on: Callable[[Standing], bool],
    ) -> Choice:
        """Steps that lose little; nothing proves that none would lose less."""
        staged = evaluator.staged
        floor = evaluator.metric.bound(lattice.bottom)
        found = find_least(evaluator, lattice, policy, goes_on)
        if found is None or not found.is_found:
            steps = LocalSteps((lattice.top,), 0, "saved", "leaves", (1,) * len(staged.ladders))
            outcome = measure_whole(evaluator.engine, staged, evaluator.guarantees, lattice.top)
            decision = decision_of(staged.ladders, lattice, steps)
            return Choice(decision, False, outcome, 1)
        decision = decision_of(staged.ladders, lattice, found.steps)
        form = form_of(decision, staged.judged.cells, staged.ladders)
        decision = with_regions(decision, evaluator, tree_sql(form, found.steps.rounds))
        return Choice(decision, True, found.outcome, found.measured, floor)

    def from_lock(self, content: Mapping[str, Any]) -> RegionDecision:
        """The columns and the steps, every part of them checked."""
        return read_decision(content, read_local_steps)
