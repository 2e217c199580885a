"""Builds runs and cards to be kept."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

from assay.domain.findings import Citation, Evidence, Findings, Label
from assay.domain.outcome import Failure, Outcome, Score, Trail, Verdict
from assay.domain.record import Record, Source
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import Scale
from assay.domain.scorecard import Scorecard, Total
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.store.runs import RunRow

SCALE = Scale(Fraction(0), Fraction(10))
METRIC = Metric("support", "Support", "Is it so?", SCALE, "share", {}, (), ())
RUBRIC = Rubric("tea", "1", "Tea", "About tea.", (), (), (METRIC,), "d1", "# Tea")
START = datetime(2026, 11, 15, 12, tzinfo=UTC)


def build_run(identifier: str = "run-1", minutes: int = 0, **changes: object) -> RunRow:
    values: dict[str, object] = {
        "id": identifier,
        "started": START + timedelta(minutes=minutes),
        "rubric_id": RUBRIC.id,
        "rubric_digest": RUBRIC.digest,
        "rubric_text": RUBRIC.text,
        "judges": ("openai:m",),
        "parameters": {"samples": 2, "temperature": None},
        "code_version": "0.1.0",
        "records_source": "records.jsonl",
    }
    return RunRow(**{**values, **changes})  # type: ignore[arg-type]


def build_record(number: int, text: str = "Green tea has caffeine.", system: str | None = None) -> Record:
    source = Source("s1", text, "On tea", None, "article")
    inputs = {"article": text, "prices": [1, 2.5, None]}
    return Record(
        f"r{number}", f"i{number}", "Tea wakes you up.", (source,), None, system, inputs, facets={"lang": "en"}
    )


def build_card(record: Record, judge: str = "openai:m", reason: str | None = None) -> Scorecard:
    """A verdict, or with a reason a failure."""
    unit = Unit("c1", "claim", "Tea wakes you up.", Span(0, 17))
    label = Label(
        "claim", "c1", "supported", (Citation("S1.1", "has caffeine"),), (Evidence("s1", Span(10, 22), "has caffeine"),)
    )
    trail = Trail((unit,), Findings((label,)), replies=('{"c1": "supported"}',))
    outcome: Outcome = Failure("refused", reason or "", trail)
    total = Total(None, None, 0, 1)
    if reason is None:
        third = Fraction(1, 3)
        outcome = Verdict(Score(third, third, (third, third), SCALE, "1 of 3", {"share": third}), trail)
        total = Total(third, third, 1, 1)
    return Scorecard(record, RUBRIC, judge, {"support": outcome}, total, run="run-1")
