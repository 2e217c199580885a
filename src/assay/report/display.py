"""Names, excerpts, labels, flags and standard notices as every report shows them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from assay.agreement.estimate import Estimate
from assay.checks.citations import number_sources
from assay.domain.findings import NO_FACT, UNDECIDED, Fact, Findings, Label
from assay.domain.listed import MetricScore
from assay.domain.outcome import FAILURE_STATUSES, Abstention, Outcome, Verdict
from assay.domain.parts import LabelPart
from assay.domain.record import Record, Source
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import in_words, step_of
from assay.domain.scorecard import Scorecard
from assay.domain.terms import plain, say_why
from assay.domain.units import Unit
from assay.store.agreements import KeptAgreement
from assay.units.passages import OUTPUT

# Joiners, direction marks and variation selectors are part of honest Persian, Hebrew, Thai and emoji; they stay.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
_PICTURES = 0x2400

QUIET_FLAGS: Final = frozenset({"neutralised"})
"""Flags that say how a run was made, not that something is odd."""
SCREENING: Final = (
    "The built-in judge is for a first pass: it shows what to check, and marks as uncertain what it can't tell. "
    "Its measured accuracy: docs/embedded.md."
)
STRONGER: Final = "Stronger judges: --judge openai:MODEL or anthropic:MODEL with a key, ollama:MODEL without one."
_SUSPECT = "injection_suspect"
_EMBEDDED = "embedded:"
_ESTIMATING = (_EMBEDDED, "local:")
_LONGEST_FAULT = 80
_CAPS = {"claim": ("capped_extraneous", "unsupported claim"), "section": ("capped_section", "section off the topic")}


def format_screening_notice(judges: Iterable[str]) -> str:
    """Empty without the built-in judge. A combined card names all its judges in one text."""
    names = (name for judge in judges for name in judge.split(" + "))
    return SCREENING if any(name.startswith(_EMBEDDED) for name in names) else ""


def gives_weakest_support(judges: Iterable[str]) -> bool:
    """Whether all are built-in judges, which give probabilities and leave many records without a score."""
    names = [name for judge in judges for name in judge.split(" + ")]
    return bool(names) and all(name.startswith(_ESTIMATING) for name in names)


def list_cautions(rubric: Rubric, judges: Iterable[str] = ()) -> list[str]:
    """What every report says: the rubric's notice, whether it is validated, what is left out, a screening judge."""
    said = [rubric.notice] if rubric.notice else []
    if not rubric.validation:
        said.append(f"{rubric.id} is not validated: it was not measured against people.")
    if rubric.not_asked:
        asked, left_out = ", ".join(metric.name for metric in rubric.metrics), ", ".join(rubric.not_asked)
        said.append(f"Only asked about: {asked}. Totals and gates leave out {left_out}.")
    screening = format_screening_notice(judges)
    return [*said, screening] if screening else said


def is_injection_suspect(card: Scorecard, metric: str | None = None) -> bool:
    """Whether a text may have influenced the judge, under one metric or any. Scores are left as judged."""
    outcomes = card.outcomes.values() if metric is None else [card.outcomes[metric]]
    return any(_SUSPECT in outcome.trail.flags for outcome in outcomes)


def format_missing(missing: Counter[str]) -> str:
    return ", ".join(f"{count} {plain(status)}" for status, count in missing.most_common())


def show_hidden(text: str) -> str:
    """The text as valid UTF-8 with every character visible: a direction override becomes ‹U+202E›, a null ␀."""
    if _HIDDEN.search(text) is None:
        return text
    return _HIDDEN.sub(_name_hidden, text.replace("\r\n", "\n"))


def _name_hidden(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(_PICTURES + code)
    if code == 0x7F:
        return "␡"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return "" if code == 0xAD else f"‹U+{code:04X}›"


def clip(text: str, most: int = 2_000) -> str:
    """The beginning of a long text, and how much of it is left out."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most:,} characters left out)"


def clip_name(name: str) -> str:
    return clip(name, 300)


def shorten(text: str, most: int = 200) -> str:
    """One line of a text, cut at a word where there is one."""
    flat = " ".join(text[: most * 4].split())
    if len(flat) <= most:
        return flat
    return (flat[: most - 1].rsplit(" ", 1)[0] or flat[: most - 1]) + " …"


def format_count(value: int) -> str:
    """With a narrow space between thousands: 1 234 567."""
    return f"{value:,}".replace(",", "\u202f")


def format_fact(fact: Fact) -> str:
    if fact.value is None:
        return "not known"
    return in_words(fact.value) if isinstance(fact.value, Fraction) else plain(fact.value)


def name_record(record: Record) -> str:
    """The id, and the system where there is one: two systems may answer the same record."""
    name = clip_name(record.id)
    return f"{name} ({clip_name(record.system)})" if record.system else name


def title_source(source: Source, rubric: Rubric) -> str:
    if source.title or source.url:
        return clip_name(source.title or source.url or "")
    return next((each.label for each in rubric.inputs if each.name == source.input), source.id)


def name_judge(judge: str) -> str:
    """Without the digest of its prompts, which tells no two judges of one run apart."""
    return clip_name(judge.partition("/prompts-")[0])


def name_texts(card: Scorecard) -> dict[str, str]:
    """By the ids that evidence uses: a source by its number and title, the output by its label in the rubric."""
    numbers = number_sources(card.record)
    names = {each.id: f"[{numbers[each.id]}] {title_source(each, card.rubric)}" for each in card.record.sources}
    output = card.rubric.input("output")
    return names | {OUTPUT: output.label if output else "Output"}


@dataclass(frozen=True, slots=True)
class Tone:
    """How a label looks. Lower `gravity` is more serious; the sign makes sure that colour is never the only cue."""

    name: str
    sign: str
    gravity: int

    @property
    def is_doubtful(self) -> bool:
        return self.gravity < SUPPORTED.gravity


# Judges or samples who differ are shown before what they agree on.
SPLIT = Tone("split", "≠", -1)
CONTRADICTED = Tone("contradicted", "✕", 0)
ABSENT = Tone("absent", "?", 1)
PARTIAL = Tone("partial", "~", 2)
UNSURE = Tone(UNDECIDED, "…", 3)
SUPPORTED = Tone("supported", "✓", 4)
NEUTRAL = Tone("neutral", "–", 5)

SUPPORT_TONES = {tone.name: tone for tone in (CONTRADICTED, ABSENT, PARTIAL, UNSURE, SUPPORTED)} | {NO_FACT: NEUTRAL}


def tone_of(label: Label, part: LabelPart | None, unit: Unit | None = None) -> Tone:
    """Words of support have their own tone; other labels of a rubric take theirs from their value.

    Of a criterion that lowers the score, the best label is the worst news.
    """
    if label.label in SUPPORT_TONES:
        return SUPPORT_TONES[label.label]
    values = {option.name: option.value or 0 for option in part.options} if part else {}
    if label.label not in values:
        return NEUTRAL
    if unit is not None and unit.is_fault:
        values = {name: 1 - value for name, value in values.items()}
    value = values[label.label]
    return SUPPORTED if value == max(values.values()) else ABSENT if value == min(values.values()) else PARTIAL


def goodness_tone(goodness: float | None) -> str:
    return "none" if goodness is None else step_of(goodness)


def find_tone(found: Outcome | MetricScore) -> str:
    """Of a metric on a record, by its outcome or by its row in a list."""
    if isinstance(found, Verdict):
        return step_of(float(found.score.goodness))
    if isinstance(found, MetricScore) and found.goodness is not None:
        return step_of(found.goodness)
    return "failed" if found.status in FAILURE_STATUSES else "abstained"


def format_faults(label: Label) -> str:
    """The words at fault, the serious ones first: `“13 %” (serious), “sharply” (slight)`."""
    ordered = sorted(label.pieces, key=lambda piece: piece.severity)
    return ", ".join(f"“{shorten(piece.words, _LONGEST_FAULT)}” ({piece.severity})" for piece in ordered)


def group_unscored(card: Scorecard) -> dict[str, list[str]]:
    """The metrics on which a judge said nothing at all, by reason: each reason is one line instead of one for each."""
    found: dict[str, list[str]] = {}
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        if isinstance(outcome, Abstention) and not outcome.trail.units and metric.id not in card.voices:
            found.setdefault(say_why(outcome.status, outcome.reason), []).append(metric.id)
    return found


def format_flag(flag: str, metric: Metric) -> str:
    """A cap says what it did: `Score capped at 4: unsupported claim`."""
    for cap in metric.caps:
        name, fault = _CAPS.get(cap.unit, (f"capped_{cap.unit}", plain(cap.unit)))
        if flag == name:
            return f"Score capped at {metric.scale.say(cap.limit)}: {fault}"
    return plain(flag)


def format_score(outcome: Outcome) -> str:
    """The score, what it was before a cap or limit, and its interval: `4 (7.23) [3–5]`; else the status."""
    if not isinstance(outcome, Verdict):
        return plain(outcome.status)
    score, interval = outcome.score, format_interval(outcome)
    raw = f" ({score.scale.say(score.raw)})" if score.raw != score.value else ""
    return score.scale.say(score.value) + raw + (f" [{interval}]" if interval else "")


def format_interval(outcome: Outcome) -> str:
    """`low–high`; empty where there is no score or nothing is uncertain."""
    if not isinstance(outcome, Verdict) or outcome.score.interval[0] == outcome.score.interval[1]:
        return ""
    return "–".join(map(outcome.score.scale.say, outcome.score.interval))


def list_opinions(findings: Findings, metric: Metric) -> Iterator[tuple[str, str, str]]:
    """Grades, picks and remarks: the name of the part, the judge's answer, and its reason."""
    for grade in findings.grades:
        yield plain(grade.part), metric.scale.say(grade.level), grade.reason
    for pick in findings.picks:
        yield plain(pick.part), ", ".join(pick.chosen) or "none", ""
    for remark in findings.remarks:
        words = "; ".join(f"{plain(name)}: {value}" for name, value in remark.fields.items() if value)
        yield plain(remark.part), words, ""


def format_estimate(found: Estimate | None) -> str:
    """A figure with its 95 % interval: `0.61 [0.52, 0.69]`."""
    if found is None or found.value is None:
        return "undefined"
    interval = "" if found.interval is None else f" [{found.interval[0]:.2f}, {found.interval[1]:.2f}]"
    return f"{found.value:.2f}{interval}"


def format_kept(kept: KeptAgreement) -> str:
    """The verdict, then the figure that was saved."""
    ends = None if kept.low is None or kept.high is None else (kept.low, kept.high)
    figure = f"{kept.figure} {format_estimate(Estimate(kept.value, ends, kept.n, 0))}"
    return f"{name_verdict(kept)} Saved result, {kept.n} records: {figure} (baseline {kept.constant:.2f})."


def name_verdict(kept: KeptAgreement) -> str:
    return kept.verdict.sentence if kept.verdict else "No verdict was saved. Run `assay agree RUN --save` again."
