"""What a run came to, metric by metric: the mean with its interval, and how many stand behind it."""

from dataclasses import dataclass
from statistics import fmean

from assay.domain.rubric import Metric
from assay.domain.scale import say_number, say_scale
from assay.pages.charts import Histogram, IntervalDot, draw_histogram, draw_interval
from assay.pages.tones import grade_tone
from assay.report.answers import Tally
from assay.report.summary import Goodness, Summary


@dataclass(frozen=True, slots=True)
class GoodnessView:
    """A mean over items, 0 to 1 and 1 best; None where nothing was scored."""

    mean: float | None
    interval: tuple[float, float] | None
    count: int
    items: int
    tone: str
    dot: IntervalDot | None

    @property
    def said(self) -> str:
        if self.mean is None:
            return "–"
        return f"{self.mean:.2f}" + (f" [{self.interval[0]:.2f}, {self.interval[1]:.2f}]" if self.interval else "")


@dataclass(frozen=True, slots=True)
class Headline:
    """`scored` and `asked` are records; `answers` are those of every judge and sample, where a record has several."""

    id: str
    name: str
    question: str
    scale: str
    mean: str
    goodness: GoodnessView
    scored: int
    asked: int
    missing: tuple[tuple[str, int], ...]
    warning: str
    histogram: Histogram
    answers: Tally | None = None


def view_goodness(goodness: Goodness) -> GoodnessView:
    if not goodness.count:
        return GoodnessView(None, None, 0, 0, "none", None)
    mean, interval = goodness.mean, goodness.interval
    dot = draw_interval(mean, interval)
    return GoodnessView(mean, interval, goodness.count, goodness.items, grade_tone(mean), dot)


def build_headlines(summary: Summary) -> tuple[Headline, ...]:
    return tuple(_build(metric, summary) for metric in summary.rubric.metrics)


def _build(metric: Metric, summary: Summary) -> Headline:
    found = summary.metrics[metric.id]
    return Headline(
        id=metric.id,
        name=metric.name,
        question=metric.question,
        scale=say_scale(metric.scale),
        mean=say_number(fmean(found.scores)) if found.scores else "–",
        goodness=view_goodness(found.goodness),
        scored=len(found.scores),
        asked=found.asked,
        missing=tuple(found.missing.most_common()),
        warning=_warn(found.commonest, len(found.scores)) if found.is_constant else "",
        histogram=draw_histogram(found.scores, metric.scale),
        answers=summary.answers.add_up(metric.id),
    )


def _warn(commonest: tuple[float, int], count: int) -> str:
    score, times = commonest
    return f"{say_number(score)} for {times} of {count} records: the judge may not be looking."
