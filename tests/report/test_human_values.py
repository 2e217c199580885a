"""What a person's labels of a record come to."""

from dataclasses import replace

import pytest
from assay.runner.concluding import conclude
from cards import card

from assay.agreement.labels import find_goodness, parse_answer
from assay.domain.findings import Findings, Label, Pick
from assay.domain.outcome import Verdict
from assay.domain.units import Unit
from assay.files.labels import LabelRow
from assay.files.place import Place
from assay.runner.asking import Asked

UNITS = tuple(Unit(f"c{number}", "claim", f"Claim {number}.") for number in range(1, 13))
SAID = {unit.id: "partial" if unit.id in {"c11", "c12"} else "supported" for unit in UNITS}


@pytest.mark.parametrize(
    ("ranked", "goodness"), [(("c11", "c12", *(f"c{number}" for number in range(1, 9))), 0.9), ((), 1.0)]
)
def test_the_same_labels_come_to_the_same_score_for_judge_and_person(ranked: tuple[str, ...], goodness: float) -> None:
    """The rule counts ten claims, and the judge's ranking says which."""
    made = card("article-audit", "long", {})
    metric = made.rubric.metric("hallucination")
    labels = tuple(Label("claim", unit, said) for unit, said in SAID.items())
    findings = Findings(labels, picks=(Pick("most_consequential", ranked),))
    judged = conclude(made.record, made.rubric, metric, Asked(findings=findings, replies=("",)), UNITS, None)
    assert isinstance(judged, Verdict)
    assert float(judged.score.goodness) == pytest.approx(goodness)
    place = Place("labels.csv", 2)
    rows = [LabelRow(place, "long", None, metric.id, None, unit, "Ada", said) for unit, said in SAID.items()]
    words = [parse_answer(row, metric) for row in rows]
    found = find_goodness(replace(made, outcomes={metric.id: judged}), metric, {metric.id: words})
    assert found == pytest.approx(goodness)
