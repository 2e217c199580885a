"""Many forms of the same explanations: how many entries each list has, and which score the reply comes to."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.domain.outcome import Verdict
from foreign.harness import judge

FORMS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "forms.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(FORMS))
def test_the_lists_of_a_form_are_counted(name: str, tmp_path: Path) -> None:
    form = FORMS[name]
    (outcome,) = judge(name, tmp_path, text="\n".join(form["reply"])).outcomes.values()
    assert isinstance(outcome, Verdict)
    assert outcome.score.value == form["score"]
    lists = outcome.trail.reported.get("lists", {})
    assert isinstance(lists, dict)
    assert {place: len(entries) for place, entries in lists.items()} == form["lists"]
