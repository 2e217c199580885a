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
from assay.domain.scale import Scale
from assay.domain.shape import ShapeRow
from assay.errors import FailureStatus
from assay.replies.parts import read_on_scale
from assay.replies.salvage import Salvaged, salvage_json
from assay.replies.strict import Torn
from assay.replies.values import Misreading, Reading, parse_amount
from assay.replies.wrapping import is_refusal, strip_thinking, to_half_width

SCORE_KEYS = ("score", "final_score", "overall_score", "rating", "grade", "value")
REASON_KEYS = ("reasoning", "reason", "justification", "explanation", "rationale")
_DEEPEST = 4
_TAG = re.compile(r"[<\[]\s*score\s*[>\]]([^<>\[\]\n]{0,60})[<\[]\s*/\s*score\s*[>\]]", re.IGNORECASE)
_UNCLOSED_TAG = re.compile(r"<\s*score\s*>\s*(-?\d{1,9}(?:[.,]\d{1,9})?)\s*(?:<[^>\n]{0,8})?\Z", re.IGNORECASE)
_ESCAPED = re.compile(r"&lt;|&gt;|\\(?=[<>])")
_BOXED = re.compile(r"\\boxed\s*\{([^{}\n]*)\}")
# The form that is asked for: Score- and the tag, and nothing behind it.
_FINAL_FORM = re.compile(r"\bscore[\s*_]*+(?:is[\s*_]*+)?(?:[-–—:=]++[\s*_]*+)?$", re.IGNORECASE)
_AMOUNT = (
    r"(?P<amount>[-−]?\d{1,3}(?:[.,]\d{1,3})?(?:\s*(?:/|out\s+of)\s*\d{1,3}(?:\.0)?)?"
    r"|(?:one|two|three|four|five)(?:\s+(?:out\s+of|of)\s+(?:five|5))?|zero|six)"
)
_ALONE = re.compile(rf"[\W_]*+{_AMOUNT}(?:\s*stars?)?[\W_]*", re.IGNORECASE)
_SENTENCE = re.compile(
    rf"\b(?:scor\w*|rat(?:e|ed|ing)|grade|give|assign)\b[^.\n\d]{{0,80}}?\b{_AMOUNT}(?!\w|[.,]\d)", re.IGNORECASE
)
# Behind a range, a list of scores, or a part of a longer number.
_GOES_ON = re.compile(r"\s*(?:[-–/]|to\b|or\b)\s*\w*\d|[.,]\d|\w")
_LONGEST_SENTENCE = 300
# What may stand between a name and its amount: a range in brackets, a verb or a sign, and a sum up to its result.
_SEPARATOR = (
    r"[\s*_]*+(?:\([^()\d]*(?:\d+\s*(?:-|–|to)\s*\d+)?[^()\d]*\)[\s*_]*+)?(?:(?:is|of|[:=|]|[-–—])[\s*_]*+)*"
    r"(?:[\d\s./×*x()+-]{1,40}=\s*){0,3}\(?"
)
_MARKUP = re.compile(r"[\s>#*_`|•–—-]*(?:(?:metric|criterion|step)\s*)?(?:\d{1,2}[.):]\s*)?[\s*_`|:]*", re.IGNORECASE)
_OF_SECTION = re.compile(
    rf"(?:.*[.;]\s*[*_]*)?(?:(?:overall|final|assigned)[\s_]+)?(?:score|rating|grade)\b{_SEPARATOR}{_AMOUNT}",
    re.IGNORECASE,
)
_SUFFIX = r"(?:[\s_]+(?:score|evaluation|assessment|rating|metric|grade))*"
_OPENS = re.compile(rf"\s*(?:$|[:=(|*–—-])|[\s_]+(?:{'|'.join(REASON_KEYS)})\b", re.IGNORECASE)


def read_single_score(text: str, rubric: Rubric) -> Trail:
    """The score of a reply about the rubric's one metric, with the text as the reason."""
    metric, plain = rubric.metrics[0], strip_thinking(text)
    salvaged = salvage_json(plain) if "{" in plain else Salvaged((), (), truncated=False)
    reading = read_score(plain, salvaged.values, rubric)
    reported: dict[str, object] = {"explanation": text}
    if isinstance(reading, Misreading):
        status: FailureStatus = "refused" if is_refusal(text) else reading.status
        fault = Fault(reading.reason, status)
        if status == "malformed" and salvaged.truncated:
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


def read_score(text: str, values: Sequence[JSON], rubric: Rubric) -> Reading[int | float] | Misreading:
    """In a tag, a key of the JSON `values`, or a line that says the score and no more."""
    metric = rubric.metrics[0]
    reading = _read_tag(text, metric.scale)
    if reading is not None:
        return reading
    said = read_named_scores(text, values, rubric).get(metric.id)
    if said is None:
        return Misreading("no score")
    reading = read_on_scale(said["score"], metric.scale)
    if isinstance(reading, Misreading) or values:
        return _pass_text(reading)
    return Reading(reading.value, "score without a tag")


def _read_tag(text: str, scale: Scale) -> Reading[int | float] | Misreading | None:
    """The score of all tags that hold an amount, or of several that differ the one that ends the last line.

    `<score>n</score>` and `<score>1-5</score>` only show the form. None where there is no tag.
    """
    lines = _list_lines(text)
    tags = [
        (written, number, not line[match.end() :].strip(" .*_") and bool(_FINAL_FORM.search(line[: match.start()])))
        for number, line in enumerate(lines)
        for match in _TAG.finditer(line)
        if parse_amount(written := match[1].strip(" *_`")) and written != f"{scale.low}-{scale.high}"
    ]
    if not tags:
        unclosed = _UNCLOSED_TAG.search(lines[-1][-100:]) if lines else None
        reading = read_on_scale(unclosed[1], scale) if unclosed else None
        return Reading(reading.value, "unclosed tag") if isinstance(reading, Reading) else reading
    chosen, number, concludes = tags[-1]
    is_one = len({written for written, _, _ in tags}) == 1
    if not is_one and not (concludes and number == len(lines) - 1):
        return Misreading(f"{len(tags)} score tags that differ", "ambiguous")
    reading = read_on_scale(chosen, scale)
    if isinstance(reading, Misreading) or is_one:
        return _pass_text(reading)
    return Reading(reading.value, "several tags, the last line's taken")


def _pass_text(reading: Reading[int | float] | Misreading) -> Reading[int | float] | Misreading:
    """In prose every number is text."""
    if isinstance(reading, Reading) and reading.repaired == "number as text":
        return Reading(reading.value)
    return reading


def _list_lines(text: str) -> list[str]:
    plain = _ESCAPED.sub(lambda match: {"&lt;": "<", "&gt;": ">"}.get(match[0], ""), to_half_width(text))
    return [line for line in strip_thinking(_BOXED.sub(r"\1", plain)).splitlines() if line.strip()]


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


def read_named_scores(text: str, values: Sequence[JSON], rubric: Rubric) -> dict[str, Mapping[str, JSON]]:
    """For each metric that the reply names with a score: the score and what is said about it, as `list_said` has them.

    `values` are the JSON of a reply whose keys are not those of the shape. A reply about one metric need not name it.
    """
    names = _list_names(rubric)
    sections = {metric.id: _Section() for metric in rubric.metrics}
    current = next(iter(sections.values())) if len(sections) == 1 else None
    lines = [line for value in values for line in _spell(value, 0)] or _list_lines(text)
    if current is not None and not values and lines and len(lines[-1]) < _LONGEST_SENTENCE:
        said = [_ALONE.fullmatch(lines[-1]), *_SENTENCE.finditer(lines[-1])]
        current.named += [each["amount"] for each in said if each and not _GOES_ON.match(lines[-1], each.end())]
    for line in lines:
        bare = _MARKUP.sub("", line, count=1).replace("%", "")
        for name, metric in names.items():
            found = re.match(rf"{name}{_SUFFIX}(?![\w&])", bare, re.IGNORECASE)
            if found is None:
                continue
            rest = bare[found.end() :]
            amount = re.match(_SEPARATOR + _AMOUNT, rest, re.IGNORECASE)
            if amount and _ends_clearly(rest[amount.end() :]):
                sections[metric].named.append(amount["amount"])
                current = sections[metric]
            elif _OPENS.match(rest):
                current = sections[metric]
            break
        else:
            score = _OF_SECTION.match(bare) if len(bare) < 1000 else None
            if current is not None and score and _ends_clearly(bare[score.end() :]):
                current.called_score.append(score["amount"])
        if current is not None:
            current.lines.append(line.strip())
    named = {name: each for name, each in sections.items() if each.amount is not None}
    return {name: {"score": each.amount, "reason": "\n".join(each.lines)} for name, each in named.items()}


def list_said(metric: Metric) -> tuple[ShapeRow, ...]:
    """Where prose keeps what it says of a metric."""
    return ShapeRow(metric.id, "reason", "reason"), ShapeRow(metric.id, "score", "score")


def _list_names(rubric: Rubric) -> dict[str, str]:
    """Patterns of what each metric may be called: its id, its name, and keys of the shape that are its own alone."""
    called: dict[str, set[str]] = {}
    for metric in rubric.metrics:
        rows = () if rubric.shape is None else rubric.shape.of(metric.id)
        keys = {row.steps[at] for row in rows if row.holds == "score" for at in (0, -1)}
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


def _ends_clearly(rest: str) -> bool:
    """A number inside prose is a score only where the line, or a sentence or clause of its own, ends with it."""
    return not _GOES_ON.match(rest) and re.match(r"[\s*_)\]]*(?:$|[.:;,(|\[–—-]\s?)", rest) is not None
