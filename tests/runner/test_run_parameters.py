"""What a run keeps about the way it was made."""

import pytest
from clerks import Clerk, rubric_of

from assay.domain.defences import Defences
from assay.runner.plan import Plan, describe_run


@pytest.mark.parametrize(
    ("defences", "kept"),
    [
        (Defences(), {"samples": "1"}),
        (Defences().without("delimiters"), {"samples": "1", "defences": "without delimiters"}),
        (Defences(canary=True), {"samples": "1", "defences": "with canary"}),
    ],
)
def test_defences_are_a_parameter_only_where_they_are_not_the_usual_ones(defences, kept):
    plan = Plan(rubric_of("article-audit"), (Clerk(),), defences=defences)
    assert describe_run(plan, "records.jsonl", 1, "0", {"samples": 1}).parameters == kept
    assert all(walk.defences == defences for walk in plan.build_panel().walks)
