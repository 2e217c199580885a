"""The worked examples that packs come with are well formed, and their labels reach no judge."""

from importlib.resources import as_file

import pytest

from assay.agreement.worked_examples import read_worked_examples
from assay.files.rubrics import open_rubric
from assay.packs import list_packs

PACKS = [name for name, pack in list_packs().items() if (pack.folder / "tests.jsonl").is_file()]


@pytest.mark.parametrize("name", PACKS)
def test_a_pack_has_six_worked_examples_or_more_and_two_at_a_boundary(name: str) -> None:
    rubric = open_rubric(name)
    with as_file(list_packs()[name].folder / "tests.jsonl") as path:
        examples = read_worked_examples(path, rubric)
    assert len(examples) >= 6
    assert sum(bool(each.boundary) for each in examples) >= 2
    answered = {metric for each in examples for metric, _ in each.answers}
    assert answered == {metric.id for metric in rubric.metrics}
    for each in examples:
        assert {"expected", "boundary"}.isdisjoint(each.record.inputs)


def test_some_packs_have_worked_examples() -> None:
    assert {"grounded-answer", "opinion-relevance"} <= set(PACKS)
