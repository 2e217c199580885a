"""Reads the scores of a reply in prose. They stand as the reply reports them: no list in prose changes a score."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from assay.domain.ask import Fault
from assay.domain.findings import Findings, Grade
from assay.domain.json import JSON
from assay.domain.outcome import Score, Trail, Verdict
from assay.domain.rubric import Metric, Rubric
from assay.domain.shape import Shape, ShapeRow
from assay.errors import FailureStatus
from assay.formats.tags import AMOUNT, ends_clearly, has_score_tag, read_score_tag
from assay.replies.parts import read_on_scale
from assay.replies.salvage import Salvaged, salvage_json
from assay.replies.strict import Torn
from assay.replies.values import Misreading, Reading, parse_amount
from assay.replies.wrapping import is_refusal, strip_thinking, to_half_width

SCORE_KEYS = ("score", "final_score", "overall_score", "rating", "grade", "value")
REASON_KEYS = ("reasoning", "reason", "justification", "explanation", "rationale")
_DEEPEST = 4
# What may stand between a name and its amount: a range in brackets, a verb or a sign, and a sum up to its result.
_SEPARATOR = (
    r"[\s*_]*+(?:\([^()\d]*(?:\d+\s*(?:-|–|to)\s*\d+)?[^()\d]*\)[\s*_]*+)?(?:(?:is|of|[:=|]|[-–—])[\s*_]*+)*"
    r"(?:[\d\s./×*x()+-]{1,40}=\s*){0,3}\(?"
)
_MARKUP = re.compile(r"[\s>#*_`|•–—-]*(?:(?:metric|criterion|step)\s*)?(?:\d{1,2}[.):]\s*)?[\s*_`|:]*", re.IGNORECASE)
_OF_SECTION = re.compile(
    rf"(?:.*[.;]\s*[*_]*)?(?:(?:overall|final|assigned)\s+)?(?:score|rating|grade)\b{_SEPARATOR}{AMOUNT}", re.IGNORECASE
)
_SUFFIX = r"(?:[\s_]+(?:score|evaluation|assessment|rating|metric|grade))*"
_OPENS = re.compile(rf"\s*(?:$|[:=(|*–—-])|[\s_]+(?:{'|'.join(REASON_KEYS)})\b", re.IGNORECASE)
_LAST_ENTRY = re.compile(r"\s*(?:\d{1,3}[.)]|[-*•])\s+\S")


def read_single_score(text: str, metric: Metric) -> Trail:
    """The score of a reply about one metric, in a tag, a key of JSON or its last line, with the text as the reason."""
    plain = strip_thinking(text)
    salvaged = salvage_json(plain) if "{" in plain else Salvaged((), (), truncated=False)
    reading = _read_single(plain, salvaged, metric)
    reported: dict[str, object] = {"explanation": text}
    if isinstance(reading, Misreading):
        status: FailureStatus = "refused" if is_refusal(text) else reading.status
        fault = Fault(reading.reason, status)
        if status == "malformed" and (salvaged.truncated or _ends_in_a_list(plain)):
            fault = Fault("the reply ends before its score", "truncated")
        return Trail(reported=reported, faults=(fault,))
    level = Fraction(str(reading.value))
    grades = tuple(Grade(part.id, level, plain.strip()) for part in metric.grade_parts[:1])
    own = {"grade": reading.value, **reported}
    trail = Trail(findings=Findings(grades=grades), reported=own, ended=take_at_its_word(level, metric))
    return trail.noted(repairs=[reading.repaired] if reading.repaired else ())


def take_at_its_word(level: Fraction, metric: Metric) -> Verdict:
    """Of a reply that holds a number, and no list in JSON to compute it from."""
    return Verdict(Score(level, level, (level, level), metric.scale, "the reply's own number"), Trail())


def _read_single(plain: str, salvaged: Salvaged, metric: Metric) -> Reading[int | float] | Misreading:
    low, high, is_whole = int(metric.scale.low), int(metric.scale.high), metric.scale.decimals == 0
    if not has_score_tag(plain):
        names = {re.sub(r"\W+", "_", name.lower()) for name in (metric.id, metric.name)}
        for keys in ({*names, *(f"{name}_score" for name in names)}, set(SCORE_KEYS[:3]), set(SCORE_KEYS[3:])):
            found = [value for value in _find_keyed(salvaged.values, keys) if _is_amount(value)]
            if len({str(value) for value in found}) > 1:
                return Misreading(f"{len(found)} scores that differ", "ambiguous")
            if found:
                return read_on_scale(found[0], metric.scale)
    return read_score_tag(plain, low, high, (metric.id, metric.name), whole=is_whole)


def _find_keyed(values: Sequence[JSON], keys: set[str], depth: int = _DEEPEST) -> list[JSON]:
    """What stands under these keys in the outermost objects that have one of them; an object may hold its own score."""
    objects = [
        each for value in values for each in (value if isinstance(value, list) and depth == _DEEPEST else [value])
    ]
    members = [
        (re.sub(r"\W+", "_", key.strip().lower()), each)
        for value in objects
        if isinstance(value, Mapping)
        for key, each in value.items()
    ]
    found = [take(each, SCORE_KEYS) if isinstance(each, Mapping) else each for key, each in members if key in keys]
    if [each for each in found if _is_amount(each)] or not depth or not members:
        return found
    return _find_keyed([each for _, each in members if isinstance(each, Mapping)], keys, depth - 1)


def _is_amount(value: JSON) -> bool:
    """Text under the name of a metric may be about it and no score."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return (
        is_number
        or isinstance(value, Torn)
        or (isinstance(value, str) and re.match(AMOUNT, value.strip(), re.IGNORECASE) is not None)
    )


def _ends_in_a_list(text: str) -> bool:
    """Without a score behind it, a list that is the last thing in a reply may be half of one."""
    lines = [line for line in text.splitlines() if line.strip()]
    while lines and lines[-1][:2].isspace() and not _LAST_ENTRY.match(lines[-1]):
        lines.pop()
    return bool(lines) and _LAST_ENTRY.match(lines[-1]) is not None


@dataclass(slots=True)
class _Section:
    """What a reply says under the name of a metric: amounts beside the name, amounts called a score, the text."""

    named: list[str] = field(default_factory=list)
    called_score: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    @property
    def amount(self) -> JSON:
        amounts = self.named or self.called_score
        read = [parse_amount(each.strip()) for each in amounts]
        return Torn() if len({each and each.value for each in read}) > 1 else next(iter(amounts), None)


def read_named_scores(text: str, values: Sequence[JSON], rubric: Rubric, shape: Shape) -> dict[str, Mapping[str, JSON]]:
    """For each metric that the reply names with a score: the score and what is said about it, as `list_said` has them.

    `values` are the JSON of a reply whose keys are not those of the shape.
    """
    names = _list_names(rubric, shape)
    sections = {metric.id: _Section() for metric in rubric.metrics}
    current: _Section | None = None
    spelt = [line for value in values for line in _spell(value, 0)]
    for line in spelt or to_half_width(strip_thinking(text)).splitlines():
        if not line.strip():
            continue
        bare = _MARKUP.sub("", line, count=1).replace("%", "")
        for name, metric in names.items():
            found = re.match(rf"{name}{_SUFFIX}(?![\w&])", bare, re.IGNORECASE)
            if found is None:
                continue
            rest = bare[found.end() :]
            amount = re.match(_SEPARATOR + AMOUNT, rest, re.IGNORECASE)
            if amount and ends_clearly(rest[amount.end() :]):
                sections[metric].named.append(amount["amount"])
                current = sections[metric]
            elif _OPENS.match(rest):
                current = sections[metric]
            break
        else:
            score = _OF_SECTION.match(bare) if len(bare) < 1000 else None
            if current is not None and score and ends_clearly(bare[score.end() :]):
                current.called_score.append(score["amount"])
        if current is not None:
            current.lines.append(line.strip())
    named = {name: each for name, each in sections.items() if each.amount is not None}
    return {name: {"score": each.amount, "reason": "\n".join(each.lines)} for name, each in named.items()}


def list_said(metric: Metric) -> tuple[ShapeRow, ...]:
    """Where prose keeps what it says of a metric."""
    return ShapeRow(metric.id, "reason", "reason"), ShapeRow(metric.id, "score", "score")


def _list_names(rubric: Rubric, shape: Shape) -> dict[str, str]:
    """Patterns of what each metric may be called: its id, its name, and keys of the shape that are its own alone."""
    called: dict[str, set[str]] = {}
    for metric in rubric.metrics:
        keys = {row.steps[at] for row in shape.of(metric.id) if row.holds == "score" for at in (0, -1)}
        for name in (metric.id, metric.name, *keys):
            words = [
                word
                for word in re.split(r"[\W_]+", name.lower())
                if word not in {"and", "score", "evaluation", "overall"}
            ]
            called.setdefault(r"[\s_&/-]+(?:and\s+)?".join(words), set()).add(metric.id)
    own = {name: metrics.pop() for name, metrics in called.items() if name and len(metrics) == 1}
    return dict(sorted(own.items(), key=lambda pair: -len(pair[0])))


def _spell(value: JSON, depth: int) -> Iterator[str]:
    """An object as lines of keys and values; its lists are left out."""
    for key, each in value.items() if isinstance(value, Mapping) and depth < _DEEPEST else ():
        if isinstance(each, Mapping):
            yield f"{key}:"
            yield from _spell(each, depth + 1)
        elif isinstance(each, str | int | float):
            yield f"{key}: {' '.join(str(each).split())}"


def take(value: JSON, keys: Sequence[str]) -> JSON:
    return next((value[key] for key in keys if key in value), None) if isinstance(value, Mapping) else None
