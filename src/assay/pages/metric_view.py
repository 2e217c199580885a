"""One metric's outcome on one record as people read it: the number, its derivation, and what stands beside it."""

from dataclasses import dataclass

from assay.domain.findings import Findings
from assay.domain.outcome import Outcome, Score, Verdict
from assay.domain.rubric import Metric
from assay.domain.scale import in_words, say_scale
from assay.domain.scorecard import Scorecard, Voice
from assay.pages.excerpts import clip
from assay.pages.tones import outcome_tone


@dataclass(frozen=True, slots=True)
class VoiceView:
    judge: str
    sample: int
    said: str
    tone: str


@dataclass(frozen=True, slots=True)
class Opinion:
    """A grade, a pick or a remark in the judge's own words."""

    name: str
    said: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MetricView:
    """`score` is empty where there is no verdict; then `why` says why, else it is the derivation."""

    id: str
    name: str
    status: str
    tone: str
    score: str
    scale: str
    goodness: float | None
    raw: str
    interval: str
    why: str
    flags: tuple[str, ...]
    repairs: tuple[str, ...]
    reported: tuple[tuple[str, str], ...]
    opinions: tuple[Opinion, ...]
    voices: tuple[VoiceView, ...]

    @property
    def is_scored(self) -> bool:
        return bool(self.score)


def build_metric(card: Scorecard, metric: Metric) -> MetricView:
    outcome = card.outcomes[metric.id]
    trail = outcome.trail
    score = outcome.score if isinstance(outcome, Verdict) else None
    return MetricView(
        id=metric.id,
        name=metric.name,
        status=outcome.status,
        tone=outcome_tone(outcome),
        score="" if score is None else in_words(score.value),
        scale=say_scale(metric.scale),
        goodness=None if score is None else float(score.goodness),
        raw="" if score is None or score.raw == score.value else in_words(score.raw),
        interval="" if score is None else _say_interval(score),
        why=clip(outcome.score.derivation if isinstance(outcome, Verdict) else outcome.reason),
        flags=trail.flags,
        repairs=trail.repairs,
        reported=tuple((name.replace("_", " "), clip(str(value))) for name, value in trail.reported.items()),
        opinions=tuple(_build_opinions(trail.findings)),
        voices=tuple(_build_voice(voice) for voice in card.voices.get(metric.id, ())),
    )


def say_short(outcome: Outcome) -> str:
    """The score with what it leaves open, or the status."""
    if not isinstance(outcome, Verdict):
        return outcome.status
    interval = _say_interval(outcome.score)
    return in_words(outcome.score.value) + (f" [{interval}]" if interval else "")


def _say_interval(score: Score) -> str:
    low, high = score.interval
    return "" if low == high else f"{in_words(low)}–{in_words(high)}"


def _build_voice(voice: Voice) -> VoiceView:
    return VoiceView(voice.judge, voice.sample, say_short(voice.outcome), outcome_tone(voice.outcome))


def _build_opinions(findings: Findings) -> list[Opinion]:
    said = [Opinion(_name(grade.part), in_words(grade.level), clip(grade.reason)) for grade in findings.grades]
    said += [Opinion(_name(pick.part), clip(", ".join(pick.chosen)) or "none") for pick in findings.picks]
    for remark in findings.remarks:
        words = "; ".join(f"{_name(name).lower()}: {value}" for name, value in remark.fields.items() if value)
        said.append(Opinion(_name(remark.part), clip(words)))
    return said


def _name(part: str) -> str:
    return part.replace("_", " ").capitalize()
