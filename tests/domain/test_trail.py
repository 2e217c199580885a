"""One metric's answer grows from the ask to the trail of its outcome."""

from assay.domain.ask import Fault, MetricAsk
from assay.domain.outcome import Trail
from assay.domain.record import Record
from assay.domain.units import Unit
from assay.files.rubrics import open_rubric
from assay.runner.planning import begin_trail

RUBRIC = open_rubric("article-audit")
RECORD = Record("r", "i", "It opened.", ())
CLAIM, SECTION = Unit("c1", "claim", "It opened."), Unit("e1", "section", "It opened.")


def test_an_answer_begins_with_the_units_that_its_metric_labels():
    metric = RUBRIC.metric("hallucination")
    ask = MetricAsk(metric.id, RUBRIC, metric, RECORD, (CLAIM, SECTION))
    assert begin_trail(ask) == Trail((CLAIM,))


def test_what_is_noted_on_a_trail_stands_there_once_and_takes_nothing_away():
    first = Trail((CLAIM,), flags=("a",), repairs=("mended",))
    second = first.noted(["a", "b"], ["mended", "again"])
    assert (second.units, second.flags, second.repairs) == ((CLAIM,), ("a", "b"), ("mended", "again"))


def test_a_fault_of_a_unit_is_asked_about_by_its_id():
    assert Fault("it has two different labels", unit="c2").request == "c2: it has two different labels"
    assert Fault("there is no grade", part="grade").request == "there is no grade"
