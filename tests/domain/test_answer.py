"""One metric's answer grows from the ask to the trail of its outcome."""

from fractions import Fraction

from assay.domain.answer import MetricAnswer
from assay.domain.ask import Answer, MetricAsk
from assay.domain.findings import Fact, Findings, Grade, Label
from assay.domain.record import Record
from assay.domain.units import Unit
from assay.files.rubrics import open_rubric

RUBRIC = open_rubric("article-audit")
RECORD = Record("r", "i", "It opened.", ())
CLAIM, SECTION = Unit("c1", "claim", "It opened."), Unit("e1", "section", "It opened.")


def test_an_answer_begins_with_the_units_that_its_metric_labels():
    metric = RUBRIC.metric("hallucination")
    ask = MetricAsk(metric.id, RUBRIC, metric, RECORD, (CLAIM, SECTION))
    assert MetricAnswer.asked(ask) == MetricAnswer((CLAIM,))


def test_a_further_reply_takes_nothing_away():
    first = MetricAnswer((CLAIM,), Findings((Label("claim", "c1", "absent"),))).answered(
        Answer(flags=("a",), repairs=("mended",), reply="one")
    )
    second = first.answered(Answer(flags=("a", "b"), repairs=("mended", "again"), reply="two"))
    assert (second.units, second.findings) == (first.units, first.findings)
    assert second.flags == ("a", "b")
    assert second.repairs == ("mended", "again")
    assert second.replies == ("one", "two")


def test_a_judge_that_has_abstained_stays_abstained():
    declined = MetricAnswer().answered(Answer(abstained="too long"))
    assert declined.answered(Answer(reply="later")).abstained == "too long"


def test_the_trail_keeps_what_an_answer_knows_and_a_grade_that_is_only_reported_stands_among_its_numbers():
    metric = open_rubric("comparison-faithfulness").metrics[0]
    facts = {"rows": Fact(Fraction(2))}
    findings = Findings((Label("claim", "c1", "absent"),), (Grade("grade", Fraction(4)),))
    answer = MetricAnswer((CLAIM,), findings, flags=("f",), repairs=("r",), replies=("x",), reported={"reason": "so"})
    trail = answer.build_trail(metric, facts)
    assert trail.reported == {"reason": "so", "grade": 4}
    assert (trail.units, trail.findings, trail.flags, trail.repairs) == ((CLAIM,), findings, ("f",), ("r",))
    assert (trail.replies, trail.facts) == (("x",), facts)
    assert MetricAnswer.from_trail(trail).build_trail(metric, facts).findings == findings
